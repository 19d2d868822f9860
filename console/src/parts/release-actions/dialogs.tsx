import type { ReactNode } from 'react';
import { pauseChannel } from '../../api/channels';
import { changePlan, deploy } from '../../api/deployments';
import type { Channel } from '../../api/types';
import { ActionDialog } from '../action-dialog';
import { type Action, Banner } from '../page';
import { counted, percent } from '../format';
import type { Release } from '../release';
import { Effect } from './effect';

interface DialogProps {
  /** The dialog closes when the page shows what was done. */
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Stops the delivery of a channel, or resumes it. */
export function PauseDialog({ channel, onDone, onClose }: DialogProps & { channel: Channel }): ReactNode {
  const isPaused = channel.pausedAt !== null;
  return (
    <ActionDialog
      title={`${isPaused ? 'Resume' : 'Pause'} ${channel.name}`}
      confirm={`${isPaused ? 'Resume' : 'Pause'} ${channel.name}`}
      onClose={onClose}
      act={async (comment) => {
        await pauseChannel(channel.appId, channel.id, !isPaused, comment);
        await onDone();
      }}
    >
      <p>
        {isPaused
          ? 'Devices get what this channel has for them with their next check, as before the pause.'
          : 'Devices keep what they run, and get nothing from this channel until you resume it. No device goes back: to take a release from devices that run it, roll it back.'}
      </p>
      <Effect
        appId={channel.appId}
        change={{ change: isPaused ? 'resume' : 'pause', appChannelId: channel.id }}
        text={isPaused ? 'devices get updates again' : 'devices get no updates until then'}
        devicesOf={({ total }) => total.changed}
        without={[
          'other-channel',
          'forced-elsewhere',
          'no-default-channel',
          'channel-not-found',
          'channel-paused',
        ]}
      />
    </ActionDialog>
  );
}

export type PlanAction = 'start' | 'hold' | 'resume' | 'abort';

/** What continues or holds the plan of a release, as it is now. */
export function planActions({ deployment, status }: Release, open: (action: PlanAction) => void): Action[] {
  switch (deployment.rolloutPlan?.state) {
    case 'draft':
      return status === 'waits' ? [] : [{ label: 'Start the plan', onClick: () => open('start') }];
    case 'running':
      return [{ label: 'Hold the plan', onClick: () => open('hold') }];
    case 'held':
      return [{ label: 'Resume the plan', onClick: () => open('resume') }];
    default:
      return [];
  }
}

/** Starts, holds, resumes or aborts the plan of a release. */
export function PlanDialog({
  release,
  action,
  onDone,
  onClose,
}: DialogProps & { release: Release; action: PlanAction }): ReactNode {
  const { deployment, name } = release;
  const title = { start: 'Start', hold: 'Hold', resume: 'Resume', abort: 'Abort' }[action];
  const share = percent(deployment.rolloutPercentage ?? 1);
  const first = percent(deployment.rolloutPlan?.steps[0]?.percentage);
  return (
    <ActionDialog
      title={`${title} the plan of ${name}`}
      confirm={`${title} the plan`}
      danger={action === 'abort'}
      withComment={action === 'hold' || action === 'abort'}
      onClose={onClose}
      act={async (comment) => {
        await changePlan(deployment, action, comment);
        await onDone();
      }}
    >
      <p>
        {
          {
            start: `${name} goes to ${first} of devices now, and on by its plan.`,
            hold: `${name} stays at ${share} of devices until you resume the plan.`,
            resume:
              'The present step begins again with its full duration. Devices that went back before no longer count.',
            abort: `${name} goes to 0 % of devices. They get the next older release that fits.`,
          }[action]
        }
      </p>
    </ActionDialog>
  );
}

/** Makes the build of an older release the newest release of the channel. */
export function DeployAgainDialog({
  channel,
  buildId,
  name,
  wasBad,
  onDone,
  onClose,
}: DialogProps & { channel: Channel; buildId: string; name: string; wasBad: boolean }): ReactNode {
  return (
    <ActionDialog
      title={`Deploy ${name} again`}
      confirm={`Deploy ${name}`}
      onClose={onClose}
      act={async (comment, key) => {
        await deploy(channel.appId, channel.id, buildId, comment, key);
        await onDone();
      }}
    >
      <Effect
        appId={channel.appId}
        change={{ change: 'deploy', appBuildId: buildId, appChannelId: channel.id }}
        text={`devices get ${name}`}
        devicesOf={({ total }) => total.receiving}
        without={['other-channel', 'forced-elsewhere', 'no-default-channel', 'channel-not-found']}
      />
      {wasBad ? (
        <Banner tone="bad">
          <b>{name} was rolled back before.</b> Deploy it again only if that was a mistake.
        </Banner>
      ) : null}
      {channel.requiredApprovals > 0 ? (
        <Banner tone="info">
          It waits for {counted(channel.requiredApprovals, 'approval')} before any device gets it.
        </Banner>
      ) : null}
    </ActionDialog>
  );
}
