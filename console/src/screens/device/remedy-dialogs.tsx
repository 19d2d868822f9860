import { Modal, Radio } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { approvalStateQuery, approve } from '../../api/approvals';
import { channelQuery } from '../../api/channels';
import { deploymentQuery } from '../../api/deployments';
import { offerAgain, realId } from '../../api/devices';
import { refreshApp } from '../../api/query-client';
import { extendChannel, keepBundle, setDefaultChannel } from '../../api/remedies';
import { serverNow } from '../../api/server-time';
import type { Channel, Deployment, Device, Goal, Remedy } from '../../api/types';
import { useAccount } from '../../app/account';
import { ActionDialog } from '../../parts/action-dialog';
import { hasApproved } from '../../parts/approvals';
import { FailureNote } from '../../parts/failure';
import { counted, percent } from '../../parts/format';
import { Banner, RowsSkeleton } from '../../parts/page';
import { PauseDialog } from '../../parts/release-actions/dialogs';
import { RaiseDialog } from '../../parts/release-actions/raise';
import { personName } from '../../parts/texts';
import { ChannelChoice } from './channel-choice';
import { ForceDialog } from './device-dialogs';
import { decidedName } from './outcome';
import { shareOf } from './share-of';

interface RemedyProps {
  readonly remedy: Remedy;
  readonly device: Device;
  readonly goal: Goal;
  readonly onClose: () => void;
}

/** Carries out a remedy, after it has said what that does. */
export function RemedyDialog({ remedy, device, goal, onClose }: RemedyProps): ReactNode {
  const client = useQueryClient();
  const { appId } = device;
  const done = (): Promise<unknown> => refreshApp(client, appId);
  const own = { device, goal, onDone: done, onClose };
  switch (remedy.remedy) {
    case 'unforce-channel':
      return <ForceDialog device={device} toItsOwn onClose={onClose} />;
    case 'create-channel':
      return <ForceDialog device={device} onClose={onClose} />;
    case 'set-default-channel':
      return <DefaultChannelDialog {...own} />;
    case 'offer-again':
      return <OfferAgainDialog {...own} />;
    case 'extend-bundle':
      return <KeepBundleDialog {...own} />;
    case 'resume-channel':
      return (
        <WithChannel {...own}>
          {(channel) => <PauseDialog channel={channel} onDone={done} onClose={onClose} />}
        </WithChannel>
      );
    case 'extend-channel':
      return <WithChannel {...own}>{(channel) => <ExtendDialog {...own} channel={channel} />}</WithChannel>;
    case 'approve-deployment':
      return (
        <WithDeployment {...own}>
          {(deployment) => <ApproveDialog {...own} deployment={deployment} />}
        </WithDeployment>
      );
    default:
      return (
        <WithDeployment {...own}>
          {(deployment) => (
            <RaiseDialog
              release={{
                deployment,
                name: nameOf(goal),
                status: 'rollingOut',
                share: deployment.rolloutPercentage,
              }}
              to={shareOf(remedy.required)}
              onDone={done}
              onClose={onClose}
            />
          )}
        </WithDeployment>
      );
  }
}

interface DialogProps {
  readonly device: Device;
  readonly goal: Goal;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

const nameOf = ({ deployment }: Goal): string =>
  deployment === null ? 'the release' : decidedName(deployment);

function DefaultChannelDialog({ device: { appId }, onDone, onClose }: DialogProps): ReactNode {
  const [channel, setChannel] = useState<Channel | null>(null);
  return (
    <ActionDialog
      title="Set the default channel"
      confirm={channel === null ? 'Set the default channel' : `Make ${channel.name} the default`}
      withComment={false}
      blocked={channel === null ? 'Choose a channel.' : undefined}
      onClose={onClose}
      act={async () => {
        await setDefaultChannel(appId, channel!.id);
        await onDone();
      }}
    >
      <p>
        All devices of the app that ask for no channel get its releases with their next check, not only this
        one.
      </p>
      <ChannelChoice appId={appId} channel={channel} onChange={setChannel} />
    </ActionDialog>
  );
}

function OfferAgainDialog({ device, goal, onDone, onClose }: DialogProps): ReactNode {
  const name = nameOf(goal);
  return (
    <ActionDialog
      title={`Offer ${name} again`}
      confirm={`Offer ${name} again`}
      withComment={false}
      onClose={onClose}
      act={async () => {
        await offerAgain(device.appId, realId(device), goal.deployment!.bundleId);
        await onDone();
      }}
    >
      <p>
        This one device gets {name} with its next check: that it went back from it is forgotten. If it goes
        back again, it is offered {name} as often as the channel allows.
      </p>
      <p className="muted">
        A device goes back when the app does not call <code>ready()</code> in time. Find out why before you
        offer it again, unless the reason was outside of the bundle.
      </p>
    </ActionDialog>
  );
}

function KeepBundleDialog({ device: { appId }, goal, onDone, onClose }: DialogProps): ReactNode {
  const name = nameOf(goal);
  return (
    <ActionDialog
      title={`Keep the bundle of ${name}`}
      confirm={`Keep ${name}`}
      withComment={false}
      onClose={onClose}
      act={async () => {
        await keepBundle(appId, goal.deployment!.bundleId);
        await onDone();
      }}
    >
      <p>
        The bundle does not expire any more. All devices that {name} is for get it with their next check, not
        only this one.
      </p>
    </ActionDialog>
  );
}

/** How long a channel can go on, in days. */
const EXTENSIONS = [
  ['never', null, 'It does not expire again'],
  ['30', 30, 'For 30 days'],
  ['90', 90, 'For 90 days'],
] as const;
const DAY = 86_400_000;

function ExtendDialog({ channel, onDone, onClose }: DialogProps & { channel: Channel }): ReactNode {
  const [chosen, setChosen] = useState<string>('never');
  const days = EXTENSIONS.find(([value]) => value === chosen)?.[1] ?? null;
  return (
    <ActionDialog
      title={`Extend ${channel.name}`}
      confirm={`Extend ${channel.name}`}
      withComment={false}
      onClose={onClose}
      conflict={<Banner tone="warn">Another person changed this channel after the page was read.</Banner>}
      act={async (_comment, _key, overwrite) => {
        const expiresAt = days === null ? null : new Date(serverNow() + days * DAY).toISOString();
        await extendChannel(channel, expiresAt, overwrite);
        await onDone();
      }}
    >
      <p>All devices of {channel.name} get its releases again with their next check, not only this one.</p>
      <Radio.Group label="How long" value={chosen} onChange={setChosen}>
        <div className="stack choices">
          {EXTENSIONS.map(([value, , label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
    </ActionDialog>
  );
}

function ApproveDialog({
  deployment,
  goal,
  onDone,
  onClose,
}: DialogProps & { deployment: Deployment }): ReactNode {
  const { requiredApprovals, createdBy, rolloutPercentage, notes } = deployment;
  const { user } = useAccount();
  const { data: state } = useQuery(approvalStateQuery(deployment));
  const left = Math.max(0, (state?.missingApprovals ?? requiredApprovals) - 1);
  const name = nameOf(goal);
  return (
    <ActionDialog
      title={`Approve ${name}`}
      confirm={`Approve ${name}`}
      blocked={
        createdBy?.id === user.id
          ? 'You created this release, so others approve it.'
          : hasApproved(state, user.id)
            ? 'You have approved it.'
            : undefined
      }
      onClose={onClose}
      act={async (comment, key) => {
        await approve(deployment, comment, key);
        await onDone();
      }}
    >
      <p>
        {left === 0
          ? `${name} goes live for ${percent(rolloutPercentage)} of the devices of ${goal.channel?.name}, not only for this one.`
          : `${name} waits for ${counted(left, 'more approval')} after yours. Then it goes live for ${percent(rolloutPercentage)} of the devices of ${goal.channel?.name}.`}
      </p>
      <p className="muted">
        Created by {personName(createdBy)}
        {notes == null ? '.' : <>: {<q className="break">{notes}</q>}</>}
      </p>
    </ActionDialog>
  );
}

/** Reads the channel of a goal, for a dialog about it. */
function WithChannel({
  device: { appId },
  goal,
  onClose,
  children,
}: DialogProps & { children: (channel: Channel) => ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(channelQuery(appId, goal.channel?.id ?? ''));
  if (data !== undefined) return children(data);
  return <Waiting error={error} onRetry={() => void refetch()} what="channel" onClose={onClose} />;
}

/** Reads the release of a goal, for a dialog about it. */
function WithDeployment({
  device: { appId },
  goal,
  onClose,
  children,
}: DialogProps & { children: (deployment: Deployment) => ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(deploymentQuery(appId, goal.deployment?.id ?? ''));
  if (data !== undefined) return children(data);
  return <Waiting error={error} onRetry={() => void refetch()} what="release" onClose={onClose} />;
}

function Waiting({
  error,
  onRetry,
  what,
  onClose,
}: {
  error: Error | null;
  onRetry: () => void;
  what: string;
  onClose: () => void;
}): ReactNode {
  return (
    <Modal opened onClose={onClose} title={`Reading the ${what}`} size={480} centered>
      {error === null ? (
        <RowsSkeleton rows={1} />
      ) : (
        <FailureNote error={error} onRetry={onRetry} what={what} />
      )}
    </Modal>
  );
}
