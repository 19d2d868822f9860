import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { approvalStateQuery } from '../../api/approvals';
import { channelQuery } from '../../api/channels';
import { deploymentQuery, releasesQuery } from '../../api/deployments';
import { refreshApp } from '../../api/query-client';
import type { Channel, Deployment } from '../../api/types';
import { useAccount } from '../../app/account';
import {
  type Approval,
  type ApprovalAction,
  approvalActions,
  ApprovalCard,
  ApprovalDialog,
} from '../../parts/approvals';
import { CommandDialog } from '../../parts/command';
import { FailedScreen } from '../../parts/failure';
import { type Action, Banner, Page, RowsSkeleton } from '../../parts/page';
import {
  channelStatus,
  freezeEnd,
  hasOpenPlan,
  type Release,
  releaseName,
  releasesOf,
  rolledBackBy,
} from '../../parts/release';
import { PauseDialog, type PlanAction, planActions, PlanDialog } from '../../parts/release-actions/dialogs';
import { RaiseDialog } from '../../parts/release-actions/raise';
import { RollBackDialog, rollBackLabel } from '../../parts/release-actions/roll-back';
import { StatusBadge } from '../../parts/status';
import { CopyLink, useNow } from '../../parts/texts';
import { heldByPerson, HeldBanner, RollBackBanner } from './banners';
import { Blockers } from './blockers';
import { PlanSteps } from './plan-steps';
import { Health } from './health';
import { ReleaseFacts } from './release-facts';
import { runningOfBuild, Says } from './says';
import { StoreRelease } from './store-release';

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
  if (data.appChannelId === null) return <StoreRelease key={data.id} deployment={data} />;
  return <ChannelRelease key={data.id} deployment={data} channelId={data.appChannelId} />;
}

function ChannelRelease({ deployment, channelId }: { deployment: Deployment; channelId: string }): ReactNode {
  const { appId, id } = deployment;
  const channel = useQuery(channelQuery(appId, channelId));
  // What waits or is rejected has no place among the others.
  const isApproved = deployment.approvalStatus === 'approved';
  const [wasApproved] = useState(isApproved);
  const releases = useQuery({ ...releasesQuery(appId, channelId), enabled: isApproved });
  if (channel.error !== null && channel.data === undefined) {
    return <FailedScreen error={channel.error} onRetry={() => void channel.refetch()} what="channel" />;
  }
  // Once it is shown, its approval takes nothing away from the page.
  if (channel.data === undefined || (wasApproved && releases.data === undefined)) {
    return (
      <Page
        title={deployment.appBuild === undefined ? 'Release' : releaseName(deployment.appBuild)}
        crumb="Channels"
      >
        <RowsSkeleton rows={3} />
      </Page>
    );
  }
  const activeId = channel.data.appDeploymentId;
  const [alone] = releasesOf([deployment], isApproved ? id : activeId);
  const all = releasesOf(releases.data ?? [], activeId);
  const index = all.findIndex((each) => each.deployment.id === id);
  // Older than the first page: newer releases have replaced it.
  const isOlder = isApproved && releases.data !== undefined;
  const listed = all[index] ?? { ...alone!, ...(isOlder && { status: 'superseded', share: undefined }) };
  const deployments = all.map((each) => each.deployment);
  return (
    <LoadedRelease
      channel={channel.data}
      release={{ ...listed, deployment }}
      older={index < 0 ? [] : all.slice(index + 1)}
      isActive={activeId === id}
      next={
        index < 0
          ? undefined
          : deployments.slice(0, index).findLast(({ approvalStatus }) => approvalStatus === 'approved')
      }
      rollBack={index < 0 ? undefined : rolledBackBy(deployments, index)}
    />
  );
}

interface LoadedProps {
  readonly channel: Channel;
  readonly release: Release;
  readonly older: readonly Release[];
  /** Whether it is the newest approved release of the channel. */
  readonly isActive: boolean;
  /** The release that came after it. */
  readonly next: Deployment | undefined;
  /** The deployment that has rolled it back. */
  readonly rollBack: Deployment | undefined;
}

function LoadedRelease({ channel, release, older, isActive, next, rollBack }: LoadedProps): ReactNode {
  const { deployment, name, status, share } = release;
  const { appId } = deployment;
  const [dialog, setDialog] = useState<
    'raise' | 'roll-back' | PlanAction | ApprovalAction | 'pause' | 'command' | null
  >(null);
  const client = useQueryClient();
  const { can, user } = useAccount();
  const now = useNow();
  const own = channelStatus(channel, now);
  const waits = deployment.approvalStatus !== 'approved';
  const approval: Approval = {
    deployment,
    name,
    userId: user.id,
    mayApprove: can(appId, 'deployments:approve'),
    mayOverride: can(appId, 'deployments:override'),
    frozenUntil: freezeEnd(channel, now),
  };
  const state = useQuery({ ...approvalStateQuery(deployment), enabled: waits }).data;
  const wasPublished = useRouterState({ select: ({ location }) => location.state.published === true });
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
      says={
        <Says release={release} running={isActive ? runningOfBuild(release, older) : null} approval={state} />
      }
      actions={actions()}
      banners={
        <>
          {wasPublished ? (
            <Banner tone="info" action={<CopyLink name={name} />}>
              <b>{waits ? `Sent to ${channel.name}, where it waits.` : `Published to ${channel.name}.`}</b>{' '}
              Send the link of this page to those who {waits ? 'approve it' : 'follow it'}.
            </Banner>
          ) : null}
          <RollBackBanner release={release} rollBack={rollBack} />
          <HeldBanner release={release} />
        </>
      }
    >
      <div className="two">
        <div>
          {waits ? (
            <ApprovalCard
              approval={approval}
              title={deployment.approvalStatus === 'pending' ? 'Waits for approval' : 'Rejected'}
            />
          ) : null}
          {deployment.rolloutPlan == null ? null : (
            <PlanSteps
              plan={deployment.rolloutPlan}
              share={deployment.rolloutPercentage}
              rollBack={rollBack === next ? rollBack : undefined}
            />
          )}
          {waits ? null : (
            <>
              <Health deployment={deployment} />
              <Blockers
                release={release}
                onRaise={isActive && can(appId, 'deployments:write') ? () => setDialog('raise') : null}
              />
            </>
          )}
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
      {dialog === 'approve' || dialog === 'reject' || dialog === 'withdraw' || dialog === 'override' ? (
        <ApprovalDialog approval={approval} action={dialog} onDone={done} onClose={close} />
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
    if (waits) return [...approvalActions(approval, state, setDialog), more];
    if (!isActive || !can(appId, 'deployments:write')) return [more];
    const raise: Action[] =
      deployment.rolloutPercentage < 1 ? [{ label: 'Raise', onClick: () => setDialog('raise') }] : [];
    const rollBackAction: Action = {
      label: rollBackLabel(name, older),
      kind: 'danger',
      onClick: () => setDialog('roll-back'),
    };
    const pause: Action[] = can(appId, 'channels:write')
      ? [
          {
            label: `${channel.pausedAt === null ? 'Pause' : 'Resume'} ${channel.name}`,
            onClick: () => setDialog('pause'),
          },
        ]
      : [];
    const plan = planActions(release, setDialog);
    // First what the state of the release asks for: one that is held is not to be raised over its reason.
    const first: Action[] =
      status !== 'held'
        ? [...mainFirst(raise), ...plan, rollBackAction, ...pause]
        : heldByPerson(deployment)
          ? [...mainFirst(plan), ...raise, rollBackAction, ...inMenu(pause)]
          : [...mainFirst([rollBackAction]), ...plan, ...raise, ...inMenu(pause)];
    return [
      ...first,
      ...(hasOpenPlan(release)
        ? [{ label: 'Abort the plan', kind: 'more' as const, onClick: () => setDialog('abort') }]
        : []),
      more,
    ];
  }
}

/** Makes the first action the filled button. */
const mainFirst = ([first, ...others]: readonly Action[]): Action[] =>
  first === undefined ? [] : [{ ...first, kind: 'main' }, ...others];

const inMenu = (actions: readonly Action[]): Action[] => actions.map((each) => ({ ...each, kind: 'more' }));
