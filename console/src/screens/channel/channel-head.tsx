import type { ReactNode } from 'react';
import type { Channel } from '../../api/types';
import { count, counted, exactly, percent } from '../../parts/format';
import { Banner } from '../../parts/page';
import { channelStatus, freezeEnd, type Release } from '../../parts/release';
import { StatusBadge } from '../../parts/status';

/** The state of a channel, and of the release that its devices get. */
export function ChannelStatus({
  channel,
  present,
  now,
}: {
  channel: Channel;
  present: Release | undefined;
  now: Date;
}): ReactNode {
  const own = channelStatus(channel, now);
  // What is deployed reaches no device then.
  if (own === 'paused' || own === 'expired') return <StatusBadge status={own} />;
  return (
    <>
      {own === null ? null : <StatusBadge status={own} />}
      {present === undefined ? (
        <StatusBadge status="empty" />
      ) : (
        <StatusBadge status={present.status} share={present.share} />
      )}
    </>
  );
}

/** How things are, in one sentence. @param devices seen in 30 days @param below the releases below the present one */
export function Says({
  devices,
  channel,
  present,
  below,
  now,
}: {
  devices: number | null;
  channel: Channel;
  present: Release | undefined;
  below: readonly Release[];
  now: Date;
}): ReactNode {
  const seen =
    devices === null ? null : devices === 0 ? (
      <>No device was seen in 30 days. </>
    ) : (
      <>
        <b>{count(devices)}</b> {devices === 1 ? 'device was' : 'devices were'} seen in 30 days.{' '}
      </>
    );
  const own = channelStatus(channel, now);
  if (own === 'paused' || own === 'expired') return <>{seen}Devices keep what they run.</>;
  if (present === undefined) return <>{seen}Devices get nothing from this channel.</>;
  const share = present.deployment.rolloutPercentage ?? 1;
  const rest = below.find(({ status }) => status === 'liveForTheRest');
  const gets = rest === undefined ? 'nothing from this channel' : <b>{rest.name}</b>;
  return (
    <>
      {seen}
      {share === 1 ? (
        <>
          All get <b>{present.name}</b>.
        </>
      ) : share === 0 ? (
        <>
          None gets <b>{present.name}</b>, all get {gets}.
        </>
      ) : (
        <>
          {percent(share)} get <b>{present.name}</b>, all others {gets}.
        </>
      )}
    </>
  );
}

/** What one must know of a channel before a change of it. */
export function ChannelBanners({
  channel,
  present,
  now,
}: {
  channel: Channel;
  present: Release | undefined;
  now: Date;
}): ReactNode {
  const frozenUntil = freezeEnd(channel, now);
  return (
    <>
      {channel.pausedAt === null ? null : (
        <Banner tone="warn">
          <b>Paused.</b> Devices keep what they run and get nothing from this channel until it is resumed
          {present === undefined ? '.' : `: then ${present.name} and the releases below it go on as before.`}
        </Banner>
      )}
      {frozenUntil === null ? null : (
        <Banner tone="warn">
          <b>Frozen until {exactly(frozenUntil)}.</b> No release starts or grows. Taking one back works.
        </Banner>
      )}
      {channel.requiredApprovals === 0 ? null : (
        <Banner tone="info">
          Each new release needs {counted(channel.requiredApprovals, 'approval')} of{' '}
          {channel.requiredApprovals === 1 ? 'another person' : 'other people'}.
        </Banner>
      )}
      {channel.expiresAt !== null && new Date(channel.expiresAt) <= now ? (
        <Banner tone="bad">
          <b>Expired.</b> Devices get nothing from this channel since {exactly(new Date(channel.expiresAt))}.
        </Banner>
      ) : null}
    </>
  );
}
