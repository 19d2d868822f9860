import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Device, Goal, Remedy } from '../../api/types';
import { useAccount } from '../../app/account';
import { percent } from '../../parts/format';
import { ActionButton } from '../../parts/page';
import { GuideDialog } from './guides';
import { decidedName } from './outcome';
import { RemedyDialog } from './remedy-dialogs';
import { shareOf } from './share-of';

type Kind = Remedy['remedy'];

/** What one request does: what it is called, and the permission that it takes. Everything else has a guide. */
const buttons: Partial<Record<Kind, readonly [label: string, permission: string]>> = {
  'unforce-channel': ['Stop forcing', 'devices:write'],
  'create-channel': ['Force to a channel', 'devices:write'],
  'set-default-channel': ['Set', 'apps:write'],
  'resume-channel': ['Resume', 'channels:write'],
  'extend-channel': ['Extend', 'channels:write'],
  'approve-deployment': ['Approve', 'deployments:approve'],
  'raise-rollout': ['Raise', 'deployments:write'],
  'extend-bundle': ['Keep it', 'bundles:write'],
  'offer-again': ['Offer again', 'devices:write'],
};

/** What would have to change for a device to get the newest release of a channel. */
export function Remedies({
  device,
  goal,
  isOneOf,
}: {
  device: Device;
  goal: Goal;
  /** Whether there is another goal beside it. */
  isOneOf: boolean;
}): ReactNode {
  const { deployment, channel, remedies } = goal;
  const name = deployment === null ? 'a release' : decidedName(deployment);
  return (
    <div className="goal">
      {isOneOf || remedies.length > 1 || remedies[0]?.remedy === 'unforce-channel' ? (
        <p className="muted small goal-note">
          To get <span className="bidi">{name}</span>
          {channel === null ? '' : ` of ${channel.name}`}
          {remedies.length > 1
            ? `, ${remedies.length === 2 ? 'both' : `all ${remedies.length}`} are needed:`
            : ':'}
        </p>
      ) : null}
      <div className="card">
        {remedies.map((remedy) => (
          <RemedyRow key={remedy.remedy} device={device} goal={goal} remedy={remedy} />
        ))}
      </div>
    </div>
  );
}

function RemedyRow({ device, goal, remedy }: { device: Device; goal: Goal; remedy: Remedy }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { can } = useAccount();
  const button = buttons[remedy.remedy];
  const close = (): void => setIsOpen(false);
  const isPublish = remedy.remedy === 'deploy' && goal.channel !== null;
  return (
    <div className="row remedy-row">
      <div className="grow">
        <b className="bidi">{titleOf(remedy, goal)}</b>
        <div className="muted bidi">
          {remedy.remedy === 'raise-rollout'
            ? 'The other devices up to this share get it, too. For this device alone, force it to another channel that has the release for all.'
            : remedy.message}
        </div>
      </div>
      {button !== undefined ? (
        <ActionButton
          label={button[0]}
          onClick={() => setIsOpen(true)}
          disabled={can(device.appId, button[1]) ? undefined : 'Your role does not allow this.'}
        />
      ) : isPublish && can(device.appId, 'bundles:write') ? (
        <Link
          className="button"
          to="/apps/$appId/publish"
          params={{ appId: device.appId }}
          search={{ channel: goal.channel!.id }}
        >
          Publish
        </Link>
      ) : (
        <ActionButton label="What to do" onClick={() => setIsOpen(true)} />
      )}
      {!isOpen ? null : button === undefined ? (
        <GuideDialog
          remedy={remedy}
          device={device}
          goal={goal}
          title={titleOf(remedy, goal)}
          onClose={close}
        />
      ) : (
        <RemedyDialog remedy={remedy} device={device} goal={goal} onClose={close} />
      )}
    </div>
  );
}

function titleOf({ remedy, required }: Remedy, { channel, deployment }: Goal): string {
  const name = deployment === null ? 'the release' : decidedName(deployment);
  const channelName = channel?.name ?? '';
  const titles: Readonly<Record<Kind, string>> = {
    'unforce-channel': 'Stop forcing the device',
    'create-channel': 'Force the device to another channel',
    'set-default-channel': 'Set the default channel of the app',
    'resume-channel': `Resume ${channelName}`,
    'extend-channel': `Extend ${channelName}`,
    deploy: `Publish to ${channelName}`,
    'publish-bundle': `Publish ${name} again`,
    'approve-deployment': `Approve ${name}`,
    'raise-rollout': `Raise ${name} to ${percent(shareOf(required))}`,
    'raise-native-version': 'Update the app from the store',
    'lower-native-version': `Publish ${name} for this native version`,
    'change-native-version': `Publish ${name} for this native version`,
    'sign-bundle': `Publish ${name} with a signature`,
    'support-type': `Publish ${name} as a zip, or update the plugin`,
    'register-checksum': `Register ${name} with its checksum`,
    'extend-bundle': `Keep the bundle of ${name}`,
    'repair-bundle': 'Upload the damaged files again',
    'change-files': `Publish ${name} with other file names`,
    'import-manifest': 'Import the bundle that the device runs',
    'offer-again': `Offer ${name} again`,
  };
  return titles[remedy];
}
