import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { channelQuery } from '../../api/channels';
import { refreshApp } from '../../api/query-client';
import { RELEASES, releasesQuery } from '../../api/deployments';
import { channelSummary, summariesQuery } from '../../api/summaries';
import type { Channel } from '../../api/types';
import { useAccount, useOrganizationOf } from '../../app/account';
import { CommandDialog, PointTheApp } from '../../parts/command';
import { FailedScreen } from '../../parts/failure';
import { type Action, Banner, EmptyState, Page, RowsSkeleton, Section } from '../../parts/page';
import { freezeEnd, hasOpenPlan, type Release, releasesOf } from '../../parts/release';
import { useNow } from '../../parts/texts';
import { type Approval, type ApprovalAction, ApprovalDialog, mayApproveNow } from '../../parts/approvals';
import { ChannelBanners, ChannelStatus, Says } from './channel-head';
import { commandsOf } from './commands';
import { type Freezing, FreezeDialog, Freezes } from './freezes';
import { Pending } from './pending';
import {
  DeployAgainDialog,
  PauseDialog,
  type PlanAction,
  planActions,
  PlanDialog,
} from '../../parts/release-actions/dialogs';
import { PresentRelease } from './present-release';
import { RaiseDialog } from '../../parts/release-actions/raise';
import { ReleaseTable } from './release-table';
import { RollBackDialog, rollBackLabel } from '../../parts/release-actions/roll-back';

type Dialog =
  | {
      readonly kind: 'raise' | 'roll-back' | PlanAction;
      readonly release: Release;
    }
  | { readonly kind: 'again'; readonly buildId: string; readonly name: string; readonly wasBad: boolean }
  | { readonly kind: ApprovalAction; readonly approval: Approval }
  | { readonly kind: 'freeze'; readonly freezing: Freezing }
  | { readonly kind: 'pause' | 'command' };

/** The releases of a channel: what devices get now, what came before, and how to change it. */
export function ChannelScreen(): ReactNode {
  const { appId, channelId } = useParams({ from: '/apps/$appId/channels/$channelId' });
  const { page = 1 } = useSearch({ from: '/apps/$appId/channels/$channelId' });
  const channel = useQuery(channelQuery(appId, channelId));
  const releases = useQuery({
    ...releasesQuery(appId, channelId, page),
    placeholderData: (previous) => previous,
  });
  const error = channel.error ?? releases.error;
  if (error !== null && (channel.data === undefined || releases.data === undefined)) {
    const retry = (): void => void Promise.all([channel.refetch(), releases.refetch()]);
    return <FailedScreen error={error} onRetry={retry} what="channel" />;
  }
  if (channel.data === undefined || releases.data === undefined) {
    return (
      <Page title={channel.data?.name ?? 'Channel'} crumb="Channels">
        <RowsSkeleton rows={1} height={168} />
        <RowsSkeleton rows={4} />
      </Page>
    );
  }
  const shown = releasesOf(releases.data.slice(0, RELEASES), channel.data.appDeploymentId);
  return (
    <LoadedChannel
      channel={channel.data}
      releases={shown}
      page={page}
      hasMore={releases.data.length > RELEASES}
    />
  );
}

interface LoadedProps {
  readonly channel: Channel;
  readonly releases: readonly Release[];
  readonly page: number;
  readonly hasMore: boolean;
}

function LoadedChannel({ channel, releases, page, hasMore }: LoadedProps): ReactNode {
  const { appId, id: channelId, name } = channel;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { can, user } = useAccount();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [undo, setUndo] = useState<{ buildId: string; name: string; comment: string } | null>(null);
  const organization = useOrganizationOf(appId);
  const summary = channelSummary(
    useQuery(summariesQuery(organization?.id ?? null, [appId])).data,
    appId,
    channelId,
  );
  const now = useNow();

  const present = releases.find(({ deployment: { id } }) => id === channel.appDeploymentId);
  const older = present === undefined ? [] : releases.slice(releases.indexOf(present) + 1);
  const mayDeploy = can(appId, 'deployments:write');
  const mayGovern = can(appId, 'channels:govern');
  const pending = releases
    .filter(({ status }) => status === 'waits')
    .map(({ deployment, name: waiting }) => ({
      deployment,
      name: waiting,
      userId: user.id,
      mayApprove: can(appId, 'deployments:approve'),
      mayOverride: can(appId, 'deployments:override'),
      frozenUntil: freezeEnd(channel, now),
    }));
  const close = (): void => setDialog(null);
  const refresh = (): Promise<unknown> => refreshApp(client, appId);

  return (
    <Page
      title={name}
      crumb={
        <Link to="/apps/$appId/channels" params={{ appId }}>
          Channels
        </Link>
      }
      status={<ChannelStatus channel={channel} present={present} now={now} />}
      says={
        <Says
          devices={summary?.monthly ?? null}
          channel={channel}
          present={present}
          below={older}
          now={now}
        />
      }
      actions={pageActions()}
      banners={
        <>
          {undo === null ? null : (
            <Banner
              tone="info"
              action={
                <button
                  type="button"
                  className="button"
                  onClick={() =>
                    setDialog({ kind: 'again', buildId: undo.buildId, name: undo.name, wasBad: false })
                  }
                >
                  Deploy it again
                </button>
              }
            >
              You rolled back {undo.name}
              {undo.comment === '' ? (
                '.'
              ) : (
                <>
                  : <q className="break">{undo.comment}</q>
                </>
              )}{' '}
              Its page shows what happened.
            </Banner>
          )}
          <ChannelBanners channel={channel} present={present} now={now} />
        </>
      }
    >
      {page > 1 ? null : (
        <Pending approvals={pending} onAct={(kind, approval) => setDialog({ kind, approval })} />
      )}
      {present === undefined || page > 1 ? null : (
        <PresentRelease
          devices={summary?.monthly ?? null}
          running={summary?.running ?? null}
          release={present}
          actions={releaseActions(present)}
        />
      )}
      {present === undefined || page > 1 || summary?.monthly !== 0 ? null : (
        <Section title="No device has asked for this channel yet">
          <div className="card pad">
            <PointTheApp appId={appId} />
          </div>
        </Section>
      )}
      {releases.length === 0 ? (
        <EmptyState title="Nothing is deployed to this channel">
          Devices that ask for {name} keep what the app was built with.
        </EmptyState>
      ) : (
        <ReleaseTable
          channel={channel}
          presentBuildId={present?.deployment.appBuildId ?? null}
          releases={
            page > 1
              ? releases
              : releases.filter((release) => release !== present && release.status !== 'waits')
          }
          page={page}
          hasMore={hasMore}
          onDeployAgain={
            mayDeploy
              ? ({ deployment, name: again, status }) =>
                  setDialog({
                    kind: 'again',
                    buildId: deployment.appBuildId,
                    name: again,
                    wasBad: status === 'rolledBack' || status === 'takenBack',
                  })
              : null
          }
        />
      )}
      <Freezes
        channel={channel}
        now={now}
        onChange={mayGovern ? (freezing) => setDialog({ kind: 'freeze', freezing }) : null}
      />
      {openDialog()}
    </Page>
  );

  function pageActions(): Action[] {
    const actions: Action[] = [];
    if (can(appId, 'bundles:write')) {
      actions.push({
        label: 'Publish',
        // One filled button: what waits for the reader comes first.
        ...(!pending.some(mayApproveNow) && { kind: 'main' as const }),
        onClick: () =>
          void navigate({ to: '/apps/$appId/publish', params: { appId }, search: { channel: channelId } }),
      });
    }
    if (present !== undefined && mayDeploy) {
      actions.push({
        label: rollBackLabel(present.name, older),
        onClick: () => setDialog({ kind: 'roll-back', release: present }),
      });
    }
    if (can(appId, 'channels:write')) {
      actions.push({
        label: channel.pausedAt === null ? 'Pause' : 'Resume',
        onClick: () => setDialog({ kind: 'pause' }),
      });
    }
    if (present !== undefined && mayDeploy && hasOpenPlan(present)) {
      actions.push({
        label: `Abort the plan of ${present.name}`,
        kind: 'more',
        onClick: () => setDialog({ kind: 'abort', release: present }),
      });
    }
    if (mayGovern) {
      actions.push({
        label: `Freeze ${name}`,
        kind: 'more',
        onClick: () => setDialog({ kind: 'freeze', freezing: { window: null } }),
      });
    }
    actions.push({ label: 'As command', kind: 'more', onClick: () => setDialog({ kind: 'command' }) });
    return actions;
  }

  function releaseActions(release: Release): Action[] {
    if (!mayDeploy) return [];
    const actions = planActions(release, (kind) => setDialog({ kind, release }));
    if ((release.deployment.rolloutPercentage ?? 1) < 1) {
      actions.unshift({ label: 'Raise', onClick: () => setDialog({ kind: 'raise', release }) });
    }
    return actions;
  }

  function openDialog(): ReactNode {
    if (dialog === null) return null;
    const done = (): Promise<unknown> => {
      setUndo(null);
      return refresh();
    };
    switch (dialog.kind) {
      case 'raise':
        return <RaiseDialog release={dialog.release} onDone={done} onClose={close} />;
      case 'roll-back':
        return (
          <RollBackDialog
            channel={channel}
            release={dialog.release}
            older={older}
            mayResume={can(appId, 'channels:write')}
            onClose={close}
            onDone={(rolledBack) => {
              setUndo(rolledBack);
              return refresh();
            }}
          />
        );
      case 'start':
      case 'hold':
      case 'resume':
      case 'abort':
        return <PlanDialog release={dialog.release} action={dialog.kind} onDone={done} onClose={close} />;
      case 'again':
        return (
          <DeployAgainDialog
            channel={channel}
            buildId={dialog.buildId}
            name={dialog.name}
            wasBad={dialog.wasBad}
            onDone={done}
            onClose={close}
          />
        );
      case 'approve':
      case 'reject':
      case 'withdraw':
      case 'override':
        return (
          <ApprovalDialog approval={dialog.approval} action={dialog.kind} onDone={refresh} onClose={close} />
        );
      case 'freeze':
        return <FreezeDialog channel={channel} freezing={dialog.freezing} onDone={refresh} onClose={close} />;
      case 'pause':
        return <PauseDialog channel={channel} onDone={refresh} onClose={close} />;
      default:
        return <CommandDialog opened onClose={close} commands={commandsOf(channel, present)} />;
    }
  }
}
