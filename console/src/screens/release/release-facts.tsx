import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { transferSizesQuery } from '../../api/deployments';
import { useOrganizationOf } from '../../app/account';
import type { components } from '../../api/schema';
import { EventList } from '../../parts/events';
import { size } from '../../parts/format';
import { constraintsOf, notesOf, type Release } from '../../parts/release';
import { CopyLink, IdText, personName, TimeAgo } from '../../parts/texts';

/** Updates of older releases whose sizes are named. */
const UPDATES = 3;

/** What is known about a release, beside how it does: who made it of what, for whom, how large, and what happened. */
export function ReleaseFacts({ release }: { release: Release }): ReactNode {
  const { deployment, name } = release;
  const { appId, id, appBuild: build, createdBy, createdAt, comment, updatedBy, updatedAt } = deployment;
  const organization = useOrganizationOf(appId);
  const sizes = useQuery(transferSizesQuery(appId, id)).data;
  const facts: [string, ReactNode][] = [
    ['Notes', notesOf(release)],
    [
      'By',
      <>
        {personName(createdBy)}, <TimeAgo at={createdAt} />
      </>,
    ],
    [
      'Build',
      build === undefined
        ? null
        : [build.numberAsString, build.gitRef ?? build.gitCommitRef, build.gitCommitSha?.slice(0, 7)]
            .filter(Boolean)
            .join(' · '),
    ],
    ['For', constraintsOf(release) || 'all native versions'],
    [
      'Last change',
      comment === null ? null : (
        <>
          <q>{comment}</q> · {updatedBy === null ? null : personName(updatedBy)}, <TimeAgo at={updatedAt} />
        </>
      ),
    ],
    ['A device downloads', sizes === undefined ? null : downloadsOf(sizes)],
    ['Id', <IdText id={id} name={name} />],
    ['Link', <CopyLink name={name} />],
  ];
  return (
    <div>
      <section>
        <dl className="card pad facts-list">
          {facts.map(([label, value]) =>
            value === null || value === undefined ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="break">{value}</dd>
              </div>
            ),
          )}
        </dl>
      </section>
      <EventList
        title="What happened"
        organizationId={organization?.id ?? null}
        appId={appId}
        objectIds={deployment.appChannelId === null ? [id] : [id, deployment.appChannelId]}
        since={createdAt}
        names={new Map([[deployment.appBuildId, name]])}
      />
    </div>
  );
}

type Sizes = components['schemas']['TransferSizesDto'];

/** The least that a device fetches: of single files where it can, else of the zip. `null`: no size is known. */
function downloadsOf({ full, updates }: Sizes): string | null {
  const least = (sizes: Sizes['full'], delta: number | null = null): number | null =>
    [delta, sizes.brotliSizeInBytes, sizes.filesSizeInBytes, sizes.zipSizeInBytes].find(
      (bytes) => bytes !== null,
    ) ?? null;
  const texts = [
    ...updates.slice(0, UPDATES).map((update) => ({
      bytes: least(update, update.deltaSizeInBytes),
      text: `from build ${update.buildNumber}`,
    })),
    { bytes: least(full), text: 'new' },
  ]
    .filter(({ bytes }) => bytes !== null)
    .map(({ bytes, text }) => `${size(bytes)} ${text}`);
  return texts.length === 0 ? null : texts.join(', ');
}
