import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type BuildFilter, BUILDS_OF_PAGE, buildsQuery } from '../../api/builds';
import type { Build } from '../../api/types';
import { useAccount } from '../../app/account';
import { buildStatus, buildTime, messageOf, placesOf, platforms, sourceOf } from '../../parts/build';
import { StartBuildDialog } from '../../parts/build-actions/start-build';
import { CommandDialog } from '../../parts/command';
import { FailedScreen, NoSuchApp } from '../../parts/failure';
import { seconds, UNKNOWN } from '../../parts/format';
import { type Action, EmptyState, Page, RowsSkeleton } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { StatusBadge } from '../../parts/status';
import { personName, TimeAgo, useNow } from '../../parts/texts';
import { commandsOf } from './commands';

/** What one filters by, and the statuses of jobs that it is. */
const statuses: Readonly<Record<string, readonly [word: string, jobs: string]>> = {
  queued: ['Queued', 'queued'],
  building: ['Building', 'pending,in_progress'],
  succeeded: ['Succeeded', 'succeeded'],
  failed: ['Failed', 'failed,timed_out,rejected'],
  canceled: ['Canceled', 'canceled'],
};

/** The builds of an app, newest first. */
export function BuildsScreen(): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/builds' });
  const search = useSearch({ from: '/apps/$appId/builds' });
  const { appOf, can } = useAccount();
  const { page = 1 } = search;
  const filter = filterOf(search);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { data, error, refetch } = useQuery({
    ...buildsQuery(appId, filter, page),
    placeholderData: keepPreviousData,
  });
  const [dialog, setDialog] = useState<'start' | 'command' | null>(null);
  if (appOf(appId) === null) return <NoSuchApp />;
  if (error !== null && data === undefined)
    return <FailedScreen error={error} onRetry={() => void refetch()} what="list of builds" title="Builds" />;
  const mayBuild = can(appId, 'builds:write');
  const actions: Action[] = [
    ...(mayBuild
      ? [{ label: 'Start a build', kind: 'main' as const, onClick: () => setDialog('start') }]
      : []),
    { label: 'As command', kind: 'more', onClick: () => setDialog('command') },
  ];
  const close = (): void => setDialog(null);
  const last = data?.find(({ jobId }) => jobId !== null) ?? null;
  return (
    <Page title="Builds" says="What was built or uploaded for this app, newest first." actions={actions}>
      <Filters />
      {data === undefined ? (
        <RowsSkeleton rows={6} />
      ) : data.length === 0 ? (
        isFiltered || page > 1 ? (
          <EmptyState
            title="No builds match"
            action={
              <Link className="button" to="/apps/$appId/builds" params={{ appId }} search={{}}>
                Show all builds
              </Link>
            }
          />
        ) : (
          <EmptyState title="No build yet">
            A runner of yours builds the web bundle, or the Android and iOS app, from a branch. Link the app
            to its repository first, or build a folder with{' '}
            <code>npx @capawesome/cli apps:builds:create --path .</code>
          </EmptyState>
        )
      ) : (
        <BuildTable builds={data.slice(0, BUILDS_OF_PAGE)} />
      )}
      <Pages page={page} hasMore={(data?.length ?? 0) > BUILDS_OF_PAGE} />
      {dialog === 'start' ? (
        <StartBuildDialog
          appId={appId}
          like={last}
          isAgain={false}
          mayDeploy={can(appId, 'deployments:write')}
          onClose={close}
        />
      ) : null}
      <CommandDialog opened={dialog === 'command'} onClose={close} commands={commandsOf(appId, last)} />
    </Page>
  );
}

/** What the address asks the API for; an unknown value filters nothing. */
function filterOf({
  platform,
  status,
  ref,
}: {
  platform?: string;
  status?: string;
  ref?: string;
}): BuildFilter {
  return {
    platform:
      platform !== undefined && Object.hasOwn(platforms, platform)
        ? (platform as Build['platform'])
        : undefined,
    status: statuses[status ?? '']?.[1],
    ref,
  };
}

function Filters(): ReactNode {
  const search = useSearch({ from: '/apps/$appId/builds' });
  const navigate = useNavigate({ from: '/apps/$appId/builds' });
  const { platform = '', status = '', ref = '' } = search;
  const [text, setText] = useState(ref);
  // Another address: by a link, or Back.
  useEffect(() => setText((typed) => (typed.trim() === ref ? typed : ref)), [ref]);
  const set = (values: { platform?: string; status?: string; ref?: string }): void => {
    const { page: _, ...others } = { ...search, ...values };
    const next = Object.fromEntries(Object.entries(others).filter(([, value]) => value));
    void navigate({ search: next, replace: true });
  };
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        set({ ref: text.trim() });
      }}
    >
      <select
        className="select"
        aria-label="Platform"
        value={Object.hasOwn(platforms, platform) ? platform : ''}
        onChange={({ currentTarget }) => set({ platform: currentTarget.value })}
      >
        <option value="">All platforms</option>
        {Object.entries(platforms).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label="Status"
        value={Object.hasOwn(statuses, status) ? status : ''}
        onChange={({ currentTarget }) => set({ status: currentTarget.value })}
      >
        <option value="">Every status</option>
        {Object.entries(statuses).map(([value, [word]]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <TextInput
        type="search"
        aria-label="Branch, tag or commit"
        placeholder="Branch, tag or whole commit id"
        value={text}
        maxLength={255}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          if (value === '') set({ ref: '' });
        }}
        onBlur={() => text.trim() !== ref && set({ ref: text.trim() })}
      />
    </form>
  );
}

function BuildTable({ builds }: { builds: readonly Build[] }): ReactNode {
  const now = useNow();
  return (
    <div className="card">
      <table className="rows">
        <thead>
          <tr>
            <th>Build</th>
            <th>Status</th>
            <th>Went to</th>
            <th className="number">Took</th>
            <th className="number">When</th>
          </tr>
        </thead>
        <tbody>
          {builds.map((build) => (
            <BuildRow key={build.id} build={build} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BuildRow({ build, now }: { build: Build; now: Date }): ReactNode {
  const { id, appId, numberAsString, platform, type, createdAt, createdBy, starter, appDeployments } = build;
  const name = releaseName(build);
  const took = buildTime(build, now);
  const facts = [
    name === `Build ${numberAsString}` ? null : name,
    type === null ? platforms[platform] : `${platforms[platform]} ${type}`,
    ...sourceOf(build),
    messageOf(build),
    createdBy === null ? null : personName(starter),
  ].filter((text) => text !== null);
  const places = placesOf(build);
  const more = (appDeployments?.total ?? 0) - (appDeployments?.latest.length ?? 0);
  return (
    <tr>
      <td className="break">
        <Link className="whole" to="/apps/$appId/builds/$buildId" params={{ appId, buildId: id }}>
          <b>Build {numberAsString}</b>
        </Link>
        <span className="muted">{facts.join(' · ')}</span>
      </td>
      <td>
        <StatusBadge status={buildStatus(build)} />
      </td>
      <td className={places.length === 0 ? 'break unknown' : 'break'} data-label="Went to">
        {places.length === 0 ? <span className="muted">{UNKNOWN}</span> : places.join(', ')}
        {more > 0 ? <span className="muted"> and {more} earlier</span> : null}
      </td>
      <td className={took === null ? 'number unknown' : 'number'} data-label="Took">
        {took === null ? UNKNOWN : seconds(took)}
      </td>
      <td className="number">
        <TimeAgo at={createdAt} />
      </td>
    </tr>
  );
}

function Pages({ page, hasMore }: { page: number; hasMore: boolean }): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/builds' });
  const { page: _, ...search } = useSearch({ from: '/apps/$appId/builds' });
  if (page === 1 && !hasMore) return null;
  const to = '/apps/$appId/builds' as const;
  return (
    <nav className="actions end pages" aria-label="Pages">
      {page > 1 ? (
        <Link
          className="button"
          to={to}
          params={{ appId }}
          search={page === 2 ? search : { ...search, page: page - 1 }}
        >
          Newer
        </Link>
      ) : null}
      {hasMore ? (
        <Link className="button" to={to} params={{ appId }} search={{ ...search, page: page + 1 }}>
          Older
        </Link>
      ) : null}
    </nav>
  );
}
