import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { buildQuery, cancelJob, repositoryQuery } from '../../api/builds';
import { failureQuery } from '../../api/logs';
import { refreshApp } from '../../api/query-client';
import type { Build } from '../../api/types';
import { useAccount } from '../../app/account';
import { ActionDialog } from '../../parts/action-dialog';
import { buildStatus, buildTime, isOpen, messageOf, platforms, sourceOf } from '../../parts/build';
import { StartBuildDialog } from '../../parts/build-actions/start-build';
import { CommandDialog } from '../../parts/command';
import { FailedScreen } from '../../parts/failure';
import { seconds } from '../../parts/format';
import { LogView } from '../../parts/log-view/log-view';
import { type Action, Banner, Page, RowsSkeleton, Section } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { StatusBadge } from '../../parts/status';
import { personName, TimeAgo, useNow } from '../../parts/texts';
import { Artifacts } from './artifacts';
import { commandsOf } from './commands';
import { DeployDialog } from './deploy-dialog';
import { ShareDialog } from './share-dialog';
import { WentTo } from './went-to';

/** How often it is asked whether a runner has come, of which there is no hint, in milliseconds. */
const NEW_RUNNER = 10_000;

type Dialog = 'again' | 'cancel' | 'command' | 'deploy' | 'share';

/** One build: why it failed, its log, what it made, and where that went. */
export function BuildScreen(): ReactNode {
  const { appId, buildId } = useParams({ from: '/apps/$appId/builds/$buildId' });
  const { data, error, refetch } = useQuery({
    ...buildQuery(appId, buildId),
    refetchInterval: ({ state }) => (state.data?.missingRunner ? NEW_RUNNER : false),
  });
  if (data !== undefined) return <LoadedBuild build={data} />;
  if (error !== null) return <FailedScreen error={error} onRetry={() => void refetch()} what="build" />;
  return (
    <Page title="Build" crumb="Builds">
      <RowsSkeleton rows={1} height={72} />
      <RowsSkeleton rows={6} height={40} />
    </Page>
  );
}

function LoadedBuild({ build }: { build: Build }): ReactNode {
  const { appId, appBuildSourceId, jobId, job, numberAsString } = build;
  const { can } = useAccount();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = (): void => setDialog(null);
  const status = buildStatus(build);
  const name = releaseName(build);
  const mayDeploy =
    can(appId, 'deployments:write') && (build.platform === 'web' || can(appId, 'submissions:write'));
  const hasSucceeded = status === 'succeeded';
  const mayRunAgain = jobId !== null && Boolean(job?.finishedAt) && can(appId, 'builds:write');
  const repository = useQuery({
    ...repositoryQuery(appId),
    enabled: mayRunAgain && !hasSucceeded && appBuildSourceId === null,
  }).data;

  const results = hasSucceeded ? (
    <div className="two">
      <div>
        <Artifacts build={build} mayShare={can(appId, 'builds:write')} onShare={() => setDialog('share')} />
      </div>
      <div>
        <WentTo build={build} />
      </div>
    </div>
  ) : null;
  return (
    <Page
      title={`Build ${numberAsString}`}
      crumb={
        <Link to="/apps/$appId/builds" params={{ appId }}>
          Builds
        </Link>
      }
      status={<StatusBadge status={status} />}
      says={<Says build={build} />}
      actions={pageActions()}
      banners={<BuildBanners build={build} />}
    >
      {results}
      {jobId === null ? (
        <p className="muted">It was uploaded, so there is no log.</p>
      ) : (
        <Section title="Log">
          <LogView jobId={jobId} revision={revisionOf(build)} waiting={<Waiting build={build} />} />
        </Section>
      )}
      {hasSucceeded ? null : <WentTo build={build} />}
      {openDialog()}
    </Page>
  );

  function pageActions(): Action[] {
    const actions: Action[] = [];
    const mayBuild = can(appId, 'builds:write');
    if (hasSucceeded && mayDeploy) {
      const isGone = build.appBuildArtifacts?.every(({ status: each }) => each !== 'ready') ?? false;
      actions.push({
        label: 'Deploy to…',
        kind: 'main',
        onClick: () => setDialog('deploy'),
        disabled: isGone ? 'Its files were deleted: the retention period has ended.' : undefined,
      });
    }
    if (hasSucceeded && mayBuild && jobId !== null) {
      actions.push({ label: 'Share', onClick: () => setDialog('share') });
    }
    if (isOpen(build) && mayBuild) {
      actions.push({ label: 'Cancel build', kind: 'danger', onClick: () => setDialog('cancel') });
    }
    if (mayRunAgain) {
      actions.push({
        label: 'Run again',
        // Without a repository, there is something else to do first.
        ...(!hasSucceeded && repository !== null && { kind: 'main' as const }),
        onClick: () => setDialog('again'),
      });
    }
    actions.push({ label: 'As command', kind: 'more', onClick: () => setDialog('command') });
    return actions;
  }

  function openDialog(): ReactNode {
    const refresh = (): Promise<unknown> => refreshApp(client, appId);
    switch (dialog) {
      case 'again':
        return (
          <StartBuildDialog
            appId={appId}
            like={build}
            isAgain
            mayDeploy={can(appId, 'deployments:write')}
            onClose={close}
          />
        );
      case 'cancel':
        return (
          <ActionDialog
            title={`Cancel build ${numberAsString}`}
            confirm={`Cancel build ${numberAsString}`}
            danger
            withComment={false}
            onClose={close}
            act={async () => {
              await cancelJob(jobId!);
              await refresh();
            }}
          >
            <p>
              It ends at once, and its runner stops when it next reports. Nothing of it is published
              {name === `Build ${numberAsString}` ? '' : `, so ${name} goes nowhere`}.
            </p>
          </ActionDialog>
        );
      case 'deploy':
        return <DeployDialog build={build} name={name} onDone={refresh} onClose={close} />;
      case 'share':
        return <ShareDialog build={build} onClose={close} />;
      case 'command':
        return <CommandDialog opened onClose={close} commands={commandsOf(build)} />;
      default:
        return null;
    }
  }
}

/** What a line in the log may follow. */
const revisionOf = ({ job, channelDeployments, destinationDeployments }: Build): string =>
  [job, ...channelDeployments, ...destinationDeployments].map((each) => each?.status).join(' ');

/** How it is, in a sentence or two: what was built, by whom, and how it went. */
function Says({ build }: { build: Build }): ReactNode {
  const now = useNow(isOpen(build) ? 1000 : undefined);
  const { numberAsString, platform, type, createdBy, starter, createdAt, jobId, job, appAutomationId } =
    build;
  const name = releaseName(build);
  const [ref, commit] = sourceOf(build);
  const took = buildTime(build, now);
  const message = messageOf(build);
  return (
    <>
      {name === `Build ${numberAsString}` ? null : (
        <>
          <b>{name}</b>:{' '}
        </>
      )}
      {platforms[platform]}
      {type === null ? '' : ` (${type})`}
      {ref === undefined ? null : (
        <>
          , from <b className="break">{ref}</b>
          {commit === undefined ? null : (
            <>
              {' '}
              at <span className="mono">{commit}</span>
            </>
          )}
        </>
      )}
      {message === null ? null : (
        <>
          , <q className="break">{message}</q>
        </>
      )}
      , {jobId === null ? 'uploaded' : 'started'}
      {appAutomationId === null ? '' : ' by an automation'}
      {createdBy === null || appAutomationId !== null ? null : <> by {personName(starter)}</>}{' '}
      <TimeAgo at={createdAt} />.{' '}
      {jobId === null || job == null ? null : (
        <>
          {endWords[job.status] ?? ''}
          {took === null ? '' : ` ${job.finishedAt === null ? 'for' : 'after'} ${seconds(took)}`}
          {job.failedStep === null ? null : <> in “{job.failedStep}”</>}.
        </>
      )}
    </>
  );
}

const endWords: Readonly<Record<string, string>> = {
  queued: 'It waits for a runner',
  pending: 'A runner has it, and prepares',
  in_progress: 'It has run',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  rejected: 'No runner could do it',
  timed_out: 'It took too long, and was stopped',
};

/** Why it failed or does not start, and what to do. */
function BuildBanners({ build }: { build: Build }): ReactNode {
  const { appId, jobId, job, missingRunner } = build;
  const failure = useQuery(failureQuery(appId, job?.status === 'failed' ? jobId : null)).data;
  if (missingRunner) {
    return (
      <Banner tone="warn">
        <b>{missingRunner}</b> <RunnerAdvice missing={missingRunner} /> The build starts when a runner can do
        it, and is rejected after some minutes without one. Labels and stack were those of the app when it was
        started: if you change them, start the build again.
      </Banner>
    );
  }
  const sentence = failure?.cause ?? job?.statusMessage ?? null;
  if (job == null || job.finishedAt === null || job.status === 'succeeded' || sentence === null) return null;
  const line = failure?.line ?? null;
  return (
    <Banner
      tone={job.status === 'canceled' ? 'info' : 'bad'}
      action={
        line === null ? null : (
          <a className="button" href={`#L${line}`}>
            Line {line}
          </a>
        )
      }
    >
      <b className="break">{sentence}</b>
      {job.status === 'rejected' ? (
        <>
          {' '}
          <RunnerAdvice missing={sentence} />
        </>
      ) : null}
      {failure === undefined || failure.advice.length === 0 ? null : (
        <ul className="advice">
          {failure.advice.map((each) => (
            <li className="break" key={each}>
              {each}
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

/** What helps where no runner can do a build. @param missing the sentence of the server that says why */
function RunnerAdvice({ missing }: { missing: string }): ReactNode {
  const [, labels] = /has (?:all of )?the (labels?) /.exec(missing) ?? [];
  if (labels === undefined) {
    return (
      <>
        Register such a runner with <code>slipway runner</code>: see <code>docs/runners.md</code>.
      </>
    );
  }
  return (
    <>
      An admin adds the {labels} to a runner, or takes {labels === 'label' ? 'it' : 'them'} out of the app:
      see <code>docs/runners.md</code>.
    </>
  );
}

/** In place of the log of a build that has not begun. */
function Waiting({ build: { missingRunner, job } }: { build: Build }): ReactNode {
  if (missingRunner) return <>No line yet. {missingRunner}</>;
  return job?.status === 'queued'
    ? 'No line yet. The log begins when a runner takes the build; other builds, its source, or its number from the store may come first.'
    : 'No line yet. The runner prepares the build.';
}
