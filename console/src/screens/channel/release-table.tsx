import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Channel } from '../../api/types';
import { count } from '../../parts/format';
import { Section } from '../../parts/page';
import { notesOf, type Release, runningOf, wentBack } from '../../parts/release';
import { StatusBadge } from '../../parts/status';
import { personName, TimeAgo } from '../../parts/texts';

interface ReleaseTableProps {
  readonly channel: Channel;
  readonly releases: readonly Release[];
  /** The build that devices get now: those that run it count there. */
  readonly presentBuildId: string | null;
  /** From 1. */
  readonly page: number;
  readonly hasMore: boolean;
  /** `null`: the reader may not deploy. */
  readonly onDeployAgain: ((release: Release) => void) | null;
}

/** All other releases of a channel, newest first. */
export function ReleaseTable({
  channel,
  releases,
  presentBuildId,
  page,
  hasMore,
  onDeployAgain,
}: ReleaseTableProps): ReactNode {
  if (releases.length === 0) return null;
  return (
    <Section title={page === 1 ? 'Before' : 'Earlier'} note="newest first">
      <div className="card">
        <table className="rows">
          <thead>
            <tr>
              <th>Release</th>
              <th>Share</th>
              <th className="number">Run it</th>
              <th className="number">Went back</th>
              <th className="number">When</th>
              <th>
                <span className="visually-hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {releases.map((release) => (
              <ReleaseRow
                key={release.deployment.id}
                release={release}
                isPresentBuild={release.deployment.appBuildId === presentBuildId}
                onDeployAgain={onDeployAgain}
              />
            ))}
          </tbody>
        </table>
      </div>
      {page > 1 || hasMore ? (
        <nav className="actions end pages" aria-label="Pages">
          {page > 1 ? (
            <Link
              className="button"
              to="/apps/$appId/channels/$channelId"
              params={{ appId: channel.appId, channelId: channel.id }}
              search={page === 2 ? {} : { page: page - 1 }}
            >
              Newer
            </Link>
          ) : null}
          {hasMore ? (
            <Link
              className="button"
              to="/apps/$appId/channels/$channelId"
              params={{ appId: channel.appId, channelId: channel.id }}
              search={{ page: page + 1 }}
            >
              Older
            </Link>
          ) : null}
        </nav>
      ) : null}
    </Section>
  );
}

function ReleaseRow({
  release,
  isPresentBuild,
  onDeployAgain,
}: {
  release: Release;
  isPresentBuild: boolean;
  onDeployAgain: ReleaseTableProps['onDeployAgain'];
}): ReactNode {
  const { deployment, name, status, share } = release;
  const { health, appBuild, createdBy, createdAt, approvalStatus } = deployment;
  const second = [
    notesOf(release),
    appBuild === undefined || name === `Build ${appBuild.numberAsString}`
      ? null
      : `build ${appBuild.numberAsString}`,
    personName(createdBy),
  ].filter((text) => text !== null);
  const canDeploy = approvalStatus === 'approved' && status !== 'liveForTheRest' && onDeployAgain !== null;
  return (
    <tr>
      <td className="break">
        <Link
          className="whole"
          to="/apps/$appId/deployments/$deploymentId"
          params={{ appId: deployment.appId, deploymentId: deployment.id }}
        >
          <b>{name}</b>
        </Link>
        <span className="muted">{second.join(' · ')}</span>
      </td>
      <td>
        <StatusBadge status={status} share={share} />
      </td>
      <td className="number" data-label="Run it">
        {isPresentBuild ? 'see above' : count(runningOf(health))}
      </td>
      <td className="number" data-label="Went back">
        {wentBack(health)}
      </td>
      <td className="number">
        <TimeAgo at={createdAt} />
      </td>
      <td className="act">
        {canDeploy ? (
          <button
            type="button"
            className="button"
            aria-label={`Deploy again: ${name}`}
            onClick={() => onDeployAgain(release)}
          >
            Deploy again
          </button>
        ) : null}
      </td>
    </tr>
  );
}
