import type { ReactNode } from 'react';
import type { Decision, Device, Goal, Remedy } from '../../api/types';
import { runningName } from '../../parts/device';
import { percent } from '../../parts/format';
import type { Status } from '../../parts/status';

type Decided = NonNullable<Decision['deployment']>;

/** What people call a release of a decision. */
export function decidedName({ appBuildName, appBuildNumberAsString }: Decided): string {
  return (
    appBuildName ?? (appBuildNumberAsString === null ? 'A deleted build' : `Build ${appBuildNumberAsString}`)
  );
}

/** Whether a device neither runs nor gets the newest release of a channel. */
export function isMissed({ bundleId }: Device, { deployment, remedies }: Goal): boolean {
  return remedies.length > 0 && (deployment === null || deployment.bundleId !== bundleId);
}

/** The next check of a device brings it another bundle. */
function isChange({ bundleId }: Device, { deployment }: Decision): boolean {
  return deployment !== null && deployment.bundleId !== bundleId;
}

/** How a device is. */
export function outcomeOf(device: Device, decision: Decision): Status {
  const [goal] = decision.goals;
  if (goal !== undefined && isMissed(device, goal)) return 'misses';
  return isChange(device, decision) ? 'getsUpdate' : 'upToDate';
}

/** What it runs, and what it gets, in one sentence. */
export function Says({ device, decision }: { device: Device; decision: Decision }): ReactNode {
  const { appBuild, forcedAppChannelName } = device;
  const [goal] = decision.goals;
  const next = isChange(device, decision) ? decision.deployment : null;
  return (
    <>
      Runs <b className="bidi">{runningName(device)}</b>
      {appBuild?.displayName == null ? null : ` (build ${appBuild.numberAsString})`}
      {goal?.deployment != null && goal.deployment.bundleId === device.bundleId
        ? `, the newest of ${goal.channel?.name}`
        : null}
      .{' '}
      {next === null ? null : (
        <>
          Gets <b className="bidi">{decidedName(next)}</b> with its next check.{' '}
        </>
      )}
      {goal === undefined || !isMissed(device, goal) ? null : <Misses goal={goal} />}
      {forcedAppChannelName === null ? null : <> It is forced to {forcedAppChannelName}.</>}
    </>
  );
}

function Misses({ goal }: { goal: Goal }): ReactNode {
  const [first, ...others] = goal.remedies;
  if (first === undefined) return null;
  return (
    <>
      Does <b>not</b> get{' '}
      {goal.deployment === null ? 'an update' : <b className="bidi">{decidedName(goal.deployment)}</b>}:{' '}
      <span className="bidi">{reasonOf(first, goal)}</span>
      {others.length === 0 ? '' : others.length === 1 ? ', and one more' : `, and ${others.length} more`}.
    </>
  );
}

/** Why a device does not get a release, as the end of a sentence. */
function reasonOf({ remedy, required, actual }: Remedy, { channel, deployment }: Goal): string {
  const name = channel?.name ?? '';
  const version =
    actual === null || actual === '' ? 'native version is not known' : `native version ${actual}`;
  switch (remedy) {
    case 'unforce-channel':
      return `it is forced to ${actual}`;
    case 'create-channel':
      return `it asks for the channel ${required}, which does not exist`;
    case 'set-default-channel':
      return 'it asks for no channel, and the app has no default channel';
    case 'resume-channel':
      return `the channel ${name} is paused`;
    case 'extend-channel':
      return `the channel ${name} has expired`;
    case 'deploy':
      return deployment === null
        ? `nothing was deployed to ${name}`
        : 'a newer release is withheld from it, and it must not go back to an older one';
    case 'publish-bundle':
      return 'its bundle is not ready';
    case 'approve-deployment':
      return 'it waits for approval';
    case 'raise-rollout':
      return `it is not among the ${percent(deployment?.rolloutPercentage)} of devices that get it`;
    case 'raise-native-version':
      return `its ${version} is below ${required}`;
    case 'lower-native-version':
      return `its ${version} is above ${required}`;
    case 'change-native-version':
      return `its native version ${required} has this code already`;
    case 'sign-bundle':
      return `${name} takes signed bundles only`;
    case 'support-type':
      return 'its plugin cannot install this kind of bundle';
    case 'register-checksum':
      return 'the bundle has no checksum, which its plugin needs';
    case 'extend-bundle':
      return 'the bundle has expired';
    case 'repair-bundle':
      return 'files of the bundle are damaged';
    case 'change-files':
      return 'it would reuse wrong files of the bundle that it runs';
    case 'import-manifest':
      return 'Slipway does not know the bundle that it runs';
    case 'offer-again':
      return `it went back from this bundle ${actual === 1 ? 'once' : `${actual} times`}`;
  }
}
