import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ChannelSummary } from '../api/summaries';
import { count, percent } from './format';
import { ShareBar } from './share-bar';
import { StatusBadge } from './status';

/** How a channel is, with the share where it says something. */
export function ChannelBadge({ channel: { status, share } }: { channel: ChannelSummary }): ReactNode {
  const isPartial = status === 'rollingOut' || status === 'held';
  return <StatusBadge status={status} share={isPartial ? (share ?? undefined) : undefined} />;
}

/** A channel of an app: what it gives to whom, and how many run it. The whole row is the link. */
export function ChannelRow({ appId, channel }: { appId: string; channel: ChannelSummary }): ReactNode {
  const { id, name, release, share, running, monthly } = channel;
  const runs = running === null || !monthly ? null : running / monthly;
  return (
    <Link className="row stack-row" to="/apps/$appId/channels/$channelId" params={{ appId, channelId: id }}>
      <div className="grow">
        <b className="break">{name}</b>{' '}
        <span className="muted">
          {release === null
            ? 'nothing deployed yet'
            : share === 1
              ? `${release} for all`
              : `${release} for ${percent(share)} of devices`}
        </span>
        {release === null ? null : (
          <div className="meter">
            <ShareBar gets={share ?? 1} runs={runs} />
          </div>
        )}
      </div>
      <div className="fact">
        <b>{count(monthly)}</b> <span className="small muted">devices in 30 days</span>
      </div>
      <div className="end">
        <ChannelBadge channel={channel} />
      </div>
    </Link>
  );
}
