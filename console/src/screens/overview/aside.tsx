import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { latestBuildsQuery } from '../../api/builds';
import type { AppSummary } from '../../api/summaries';
import type { Build } from '../../api/types';
import { EventList } from '../../parts/events';
import { FailureNote } from '../../parts/failure';
import { buildStatus, platforms } from '../../parts/build';
import { RowsSkeleton, Section } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { type Status, StatusBadge } from '../../parts/status';
import { TimeAgo } from '../../parts/texts';

/** Builds of the card. */
const SHOWN = 3;

/** The newest builds of an app. */
export function LatestBuilds({ appId }: { appId: string }): ReactNode {
  const { data, error, refetch } = useQuery(latestBuildsQuery(appId));
  return (
    <Section title="Builds">
      {error !== null ? (
        <FailureNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <RowsSkeleton />
      ) : data.length === 0 ? (
        <div className="card pad muted">No build yet.</div>
      ) : (
        <div className="card">
          {data.slice(0, SHOWN).map((build) => (
            <Link
              className="row"
              key={build.id}
              to="/apps/$appId/builds/$buildId"
              params={{ appId, buildId: build.id }}
            >
              <div className="grow">
                <b>Build {build.numberAsString}</b>
                <div className="muted">{factsOf(build)}</div>
              </div>
              <div className="fact">
                <StatusBadge status={buildStatus(build)} />
                <span className="small muted after">
                  <TimeAgo at={build.createdAt} />
                </span>
              </div>
            </Link>
          ))}
        </div>
      )}
      {data === undefined || data.length <= SHOWN ? null : (
        <p className="small more">
          <Link className="link" to="/apps/$appId/builds" params={{ appId }}>
            All builds
          </Link>
        </p>
      )}
    </Section>
  );
}

function factsOf(build: Build): string {
  const name = releaseName(build);
  return [
    name === `Build ${build.numberAsString}` ? null : name,
    platforms[build.platform],
    build.gitRef ?? build.gitCommitRef,
    build.gitCommitSha?.slice(0, 7),
  ]
    .filter((text) => text !== null && text !== undefined && text !== '')
    .join(' · ');
}

type Submission = AppSummary['openSubmissions'][number];

/** What is on its way to stores. Without any, nothing is shown. */
export function Stores({
  submissions,
  total,
}: {
  submissions: readonly Submission[];
  total: number;
}): ReactNode {
  if (submissions.length === 0) return null;
  const more = total - submissions.length;
  return (
    <Section title="On the way to stores" note={more > 0 ? `and ${more} more` : null}>
      <div className="card">
        {submissions.map((submission) => (
          <div className="row" key={submission.id}>
            <div className="grow">
              <b className="break">{submission.appDestinationName}</b>
              <div className="muted">{submission.message ?? submission.versionName ?? 'A release'}</div>
            </div>
            <StatusBadge status={submissionStatus(submission)} />
          </div>
        ))}
      </div>
    </Section>
  );
}

function submissionStatus({ state }: Submission): Status {
  if (state === 'failed') return 'failed';
  return state === 'failed_with_action_required' ? 'needsAction' : 'inReview';
}

/** The latest events of an app. */
export function LatestEvents({
  appId,
  organizationId,
}: {
  appId: string;
  organizationId: string | null;
}): ReactNode {
  const builds = useQuery(latestBuildsQuery(appId)).data ?? [];
  const names = new Map(builds.map((build) => [build.id, releaseName(build)]));
  return <EventList title="Latest events" organizationId={organizationId} appId={appId} names={names} />;
}
