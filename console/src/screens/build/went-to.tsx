import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { channelsQuery } from '../../api/channels';
import type { Build } from '../../api/types';
import { Section } from '../../parts/page';
import { percent } from '../../parts/format';
import { type Status, StatusBadge } from '../../parts/status';
import { TimeAgo } from '../../parts/texts';

type Went = NonNullable<Build['appDeployments']>['latest'][number];

/** Where a build was deployed to, and where it was to go. Without either, a build that has not succeeded shows nothing. */
export function WentTo({ build }: { build: Build }): ReactNode {
  const { appId, appDeployments, channelDeployments, destinationDeployments } = build;
  const planned = [
    ...channelDeployments.map(({ appChannelId: target, ...rest }) => ({
      target,
      kind: 'a channel',
      ...rest,
    })),
    ...destinationDeployments.map(({ appDestinationId: target, ...rest }) => ({
      target,
      kind: 'a store',
      ...rest,
    })),
  ].filter(({ status }) => status !== 'deployed');
  const channels = useQuery({
    ...channelsQuery(appId),
    enabled: channelDeployments.length > 0 && planned.length > 0,
  }).data;
  const latest = appDeployments?.latest ?? [];
  const more = (appDeployments?.total ?? 0) - latest.length;
  if (latest.length === 0 && planned.length === 0) {
    return build.job?.status === 'succeeded' ? (
      <Section title="Went to">
        <div className="card pad muted">It was not deployed yet: no device has it from here.</div>
      </Section>
    ) : null;
  }
  return (
    <Section title="Went to" note={latest.length > 1 ? 'newest first' : null}>
      <div className="card">
        {planned.map(({ target, kind, status, statusMessage }) => (
          <div className="row" key={target}>
            <div className="grow">
              <b>{channels?.find(({ id }) => id === target)?.name ?? kind}</b>
              <div className="muted break">
                {statusMessage ?? 'It goes there when the build has succeeded.'}
              </div>
            </div>
            <StatusBadge status={status === 'failed' ? 'failed' : 'queued'} />
          </div>
        ))}
        {latest.map((deployment) => (
          <Link
            className="row"
            key={deployment.id}
            to="/apps/$appId/deployments/$deploymentId"
            params={{ appId, deploymentId: deployment.id }}
          >
            <div className="grow">
              <b>{deployment.appChannelName ?? deployment.appDestinationName}</b>
              <div className="muted small">
                <TimeAgo at={deployment.createdAt} />
              </div>
            </div>
            <Outcome deployment={deployment} />
          </Link>
        ))}
      </div>
      {more > 0 ? <p className="small muted more">And {more} earlier.</p> : null}
    </Section>
  );
}

function Outcome({
  deployment: { approvalStatus, isSuperseded, rolloutPercentage },
}: {
  deployment: Went;
}): ReactNode {
  const status: Status | null =
    approvalStatus === 'pending'
      ? 'waits'
      : approvalStatus === 'rejected'
        ? 'rejected'
        : isSuperseded
          ? 'superseded'
          : null;
  if (status !== null) return <StatusBadge status={status} />;
  return <span className="fact muted">to {percent(rolloutPercentage)}</span>;
}
