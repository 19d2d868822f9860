import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { channelQuery } from '../../api/channels';
import { deploymentQuery, releasesQuery } from '../../api/deployments';
import { refreshApp } from '../../api/query-client';
import type { Channel, Deployment } from '../../api/types';
import { useAccount } from '../../app/account';
import { CommandDialog, CommandLine } from '../../parts/command';
import { FailedScreen } from '../../parts/failure';
import { count, percent } from '../../parts/format';
import { type Action, Page, RowsSkeleton } from '../../parts/page';
import {
  channelStatus,
  hasOpenPlan,
  type Release,
  releaseName,
  releasesOf,
  runningOf,
} from '../../parts/release';
import { PauseDialog, type PlanAction, planActions, PlanDialog } from '../../parts/release-actions/dialogs';
import { RaiseDialog } from '../../parts/release-actions/raise';
import { RollBackDialog, rollBackLabel } from '../../parts/release-actions/roll-back';
import { StatusBadge } from '../../parts/status';
import { useNow } from '../../parts/texts';
import { Blockers } from './blockers';
import { PlanSteps } from './plan-steps';
import { Health } from './health';
import { ReleaseFacts } from './release-facts';

/** One release of a channel: how far it is, how it does, who lacks it and why, and what happened to it. */
export function ReleaseScreen(): ReactNode {
  const { appId, deploymentId } = useParams({ from: '/apps/$appId/deployments/$deploymentId' });
  const { data, error, refetch } = useQuery(deploymentQuery(appId, deploymentId));
  if (error !== null && data === undefined) {
    return <FailedScreen error={error} onRetry={() => void refetch()} what="release" />;
  }
  if (data === undefined) {
    return (
      <Page title="Release" crumb="Channels">
        <RowsSkeleton rows={1} height={96} />
        <RowsSkeleton rows={3} />
      </Page>
    );
  }
  if (data.appChannelId === null) return <StoreRelease deployment={data} />;
  return <ChannelRelease deployment={data} channelId={data.appChannelId} />;
}

/** Releases in stores have no screen yet. */
function StoreRelease({ deployment }: { deployment: Deployment }): ReactNode {
  const name = deployment.appBuild === undefined ? 'A release' : releaseName(deployment.appBuild);
  return (
    <Page
      title={name}
      crumb={deployment.appDestinationName}
      says={
        deployment.submission?.message ?? 'This release goes to a store. The command-line tool shows more:'
      }
    >
      <div className="card pad">
        <CommandLine
          text={`npx @capawesome/cli apps:deployments:get --app-id ${deployment.appId} --deployment-id ${deployment.id}`}
        />
      </div>
    </Page>
  );
}

function ChannelRelease({ deployment, channelId }: { deployment: Deployment; channelId: string }): ReactNode {
  const { appId, id } = deployment;
  const channel = useQuery(channelQuery(appId, channelId));
  const releases = useQuery(releasesQuery(appId, channelId));
  if (channel.error !== null && channel.data === undefined) {
    return <FailedScreen error={channel.error} onRetry={() => void channel.refetch()} what="channel" />;
  }
  if (channel.data === undefined || releases.data === undefined) {
    return (
      <Page
        title={deployment.appBuild === undefined ? 'Release' : releaseName(deployment.appBuild)}
        crumb="Channels"
      >
        <RowsSkeleton rows={3} />
      </Page>
    );
  }
  const all = releasesOf(releases.data, channel.data.appDeploymentId);
  const index = all.findIndex((each) => each.deployment.id === id);
  // Older than the first page: newer releases have replaced it.
  const name = deployment.appBuild === undefined ? id : releaseName(deployment.appBuild);
  const listed = all[index] ?? { name, status: 'superseded' as const, share: undefined };
  return (
    <LoadedRelease
      channel={channel.data}
      release={{ ...listed, deployment }}
      older={index < 0 ? [] : all.slice(index + 1)}
      isActive={channel.data.appDeploymentId === id}
    />
  );
}

interface LoadedProps {
  readonly channel: Channel;
  readonly release: Release;
  readonly older: readonly Release[];
  /** Whether it is the newest approved release of the channel. */
  readonly isActive: boolean;
}

function LoadedRelease({ channel, release, older, isActive }: LoadedProps): ReactNode {
  const { deployment, name, status, share } = release;
  const { appId } = deployment;
  const [dialog, setDialog] = useState<'raise' | 'roll-back' | PlanAction | 'pause' | 'command' | null>(null);
  const client = useQueryClient();
  const { can } = useAccount();
  const own = channelStatus(channel, useNow());
  const close = (): void => setDialog(null);
  const done = (): Promise<unknown> => refreshApp(client, appId);
  return (
    <Page
      title={name}
      crumb={
        <>
          <Link to="/apps/$appId/channels" params={{ appId }}>
            Channels
          </Link>
          {' › '}
          <Link to="/apps/$appId/channels/$channelId" params={{ appId, channelId: channel.id }}>
            {channel.name}
          </Link>
        </>
      }
      status={
        <StatusBadge
          {...(isActive && own !== null && own !== 'frozen' ? { status: own } : { status, share })}
        />
      }
      says={<Says release={release} running={isActive ? runningOfBuild(release, older) : null} />}
      actions={actions()}
    >
      <div className="two">
        <div>
          {deployment.rolloutPlan == null ? null : (
            <PlanSteps plan={deployment.rolloutPlan} share={deployment.rolloutPercentage} />
          )}
          <Health deployment={deployment} />
          <Blockers
            release={release}
            onRaise={isActive && can(appId, 'deployments:write') ? () => setDialog('raise') : null}
          />
        </div>
        <ReleaseFacts release={release} />
      </div>
      {dialog === 'raise' ? <RaiseDialog release={release} onDone={done} onClose={close} /> : null}
      {dialog === 'roll-back' ? (
        <RollBackDialog
          channel={channel}
          release={release}
          older={older}
          mayResume={can(appId, 'channels:write')}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {dialog === 'start' || dialog === 'hold' || dialog === 'resume' || dialog === 'abort' ? (
        <PlanDialog release={release} action={dialog} onDone={done} onClose={close} />
      ) : null}
      {dialog === 'pause' ? <PauseDialog channel={channel} onDone={done} onClose={close} /> : null}
      <CommandDialog
        opened={dialog === 'command'}
        onClose={close}
        commands={[
          {
            title: 'This release',
            cli: `apps:deployments:get --app-id ${appId} --deployment-id ${deployment.id}`,
            path: `/v1/apps/${appId}/deployments/${deployment.id}?relations=appBuild,rolloutPlan,health`,
          },
          {
            title: 'Who lacks it, and why',
            cli: null,
            path: `/v1/apps/${appId}/deployments/${deployment.id}/blockers`,
          },
        ]}
      />
    </Page>
  );

  function actions(): Action[] {
    const more: Action = { label: 'As command', kind: 'more', onClick: () => setDialog('command') };
    if (!isActive || !can(appId, 'deployments:write')) return [more];
    return [
      ...(deployment.rolloutPercentage < 1
        ? [{ label: 'Raise', kind: 'main' as const, onClick: () => setDialog('raise') }]
        : []),
      ...planActions(release, setDialog),
      {
        label: rollBackLabel(name, older),
        kind: 'danger' as const,
        onClick: () => setDialog('roll-back'),
      },
      ...(can(appId, 'channels:write')
        ? [
            {
              label: `${channel.pausedAt === null ? 'Pause' : 'Resume'} ${channel.name}`,
              onClick: () => setDialog('pause'),
            },
          ]
        : []),
      ...(hasOpenPlan(release)
        ? [{ label: 'Abort the plan', kind: 'more' as const, onClick: () => setDialog('abort') }]
        : []),
      more,
    ];
  }
}

/** Devices that run the build of a release, also from earlier releases of it; `null`: not counted. */
function runningOfBuild({ deployment }: Release, older: readonly Release[]): number | null {
  const own = older.filter((each) => each.deployment.appBuildId === deployment.appBuildId);
  const counts = [deployment, ...own.map((each) => each.deployment)].map(({ health }) => runningOf(health));
  return counts.every((count) => count === null)
    ? null
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** How it is, in one sentence. @param running those that run its bundle, also from an earlier deployment; `null`: not counted */
function Says({ release, running: counted }: { release: Release; running: number | null }): ReactNode {
  const { deployment, status } = release;
  const { health, approvalStatus, requiredApprovals } = deployment;
  if (approvalStatus === 'pending')
    return <>Waits for the approval of {requiredApprovals} more. No device gets it before.</>;
  if (approvalStatus === 'rejected') return <>Rejected. No device gets it.</>;
  if (status === 'notDelivered') return <>No device gets it before its share is raised.</>;
  const running = counted ?? runningOf(health);
  const notYet = health == null ? null : Math.max(0, health.offered - health.applied);
  return (
    <>
      {status === 'superseded' ? (
        <>A newer release has replaced it. </>
      ) : status === 'rolledBack' ? (
        <>It was rolled back: no device gets it. </>
      ) : status === 'liveForTheRest' ? (
        <>For the devices that do not get a newer one. </>
      ) : (
        <>
          For <b>{percent(deployment.rolloutPercentage)}</b> of devices.{' '}
        </>
      )}
      <b>{count(running)}</b> run it
      {notYet === null || notYet === 0 ? null : (
        <>
          , <b>{count(notYet)}</b> were offered it and have not restarted
        </>
      )}
      .
    </>
  );
}
