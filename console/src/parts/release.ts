import type { Build, Channel, Deployment } from '../api/types';
import { count, percent } from './format';
import type { Status } from './status';

/** What people call a build: its name, or its number. */
export function releaseName({
  displayName,
  numberAsString,
}: Pick<Build, 'displayName' | 'numberAsString'>): string {
  return displayName ?? `Build ${numberAsString}`;
}

/** A deployment of a channel, and what it is to the devices now. */
export interface Release {
  readonly deployment: Deployment;
  readonly name: string;
  readonly status: Status;
  /** With the status, where the share says something; 0 to 1. */
  readonly share: number | undefined;
}

/** What the deployments of a channel are to its devices. @param deployments newest first */
export function releasesOf(deployments: readonly Deployment[], activeId: string | null): Release[] {
  let isBelow = false;
  let left = 1;
  return deployments.map((deployment, index) => {
    const { id, approvalStatus, rolloutPercentage, appBuild } = deployment;
    const name = appBuild === undefined ? deployment.id : releaseName(appBuild);
    const release = (status: Status, share?: number): Release => ({ deployment, name, status, share });
    if (approvalStatus === 'pending') return release('waits');
    if (approvalStatus === 'rejected') return release('rejected');
    const share = rolloutPercentage ?? 1;
    if (id === activeId) {
      isBelow = true;
      left = 1 - share;
      if (deployment.rolloutPlan?.state === 'held') return release('held', share);
      if (share === 0) return release(statusAtZero(deployment.takenBackAt, deployment.rolloutPlan));
      return share < 1 ? release('rollingOut', share) : release('live');
    }
    if (!isBelow || left === 0)
      return release(wasRolledBack(deployments, index) ? 'rolledBack' : 'superseded');
    if (share === 0) return release(statusAtZero(deployment.takenBackAt, deployment.rolloutPlan));
    left = share < 1 ? left : 0;
    return share < 1 ? release('rollingOut', share) : release('liveForTheRest');
  });
}

/** Whether a deployment after it has gone back to an older build from before it. @param deployments newest first */
export const wasRolledBack = (deployments: readonly Deployment[], index: number): boolean =>
  rolledBackBy(deployments, index) !== undefined;

/** The deployment after it that has gone back to an older build from before it. @param deployments newest first */
export function rolledBackBy(deployments: readonly Deployment[], index: number): Deployment | undefined {
  const numberOf = (deployment: Deployment | undefined): number =>
    Number(deployment?.appBuild?.numberAsString);
  const own = numberOf(deployments[index]);
  const older = new Set(deployments.slice(index + 1).map(({ appBuildId }) => appBuildId));
  return deployments
    .slice(0, index)
    .findLast(
      (newer) => newer.approvalStatus === 'approved' && numberOf(newer) < own && older.has(newer.appBuildId),
    );
}

/** What devices get when a release is taken back: the releases below it, each with its share of all devices. */
export function belowOf(older: readonly Release[]): { release: Release; share: number }[] {
  const found: { release: Release; share: number }[] = [];
  let left = 1;
  for (const release of older) {
    const { approvalStatus, rolloutPercentage } = release.deployment;
    const share = Math.min(left, rolloutPercentage ?? 1);
    if (approvalStatus !== 'approved' || share === 0) continue;
    found.push({ release, share });
    left -= share;
  }
  return found;
}

/** What a release is that no device gets: with a plan that has not begun, it is still to come. */
export function statusAtZero(takenBackAt: string | null, plan: { state: string } | null | undefined): Status {
  return takenBackAt === null || plan?.state === 'draft' ? 'notDelivered' : 'takenBack';
}

/** The state of a channel that stands above its releases. */
export function channelStatus(
  channel: Pick<Channel, 'pausedAt' | 'expiresAt' | 'freezeWindows'>,
  now: Date,
): Status | null {
  if (channel.expiresAt !== null && new Date(channel.expiresAt) <= now) return 'expired';
  if (channel.pausedAt !== null) return 'paused';
  return freezeEnd(channel, now) === null ? null : 'frozen';
}

/** When the freeze ends that a channel is in; `null`: it is in none. */
export function freezeEnd({ freezeWindows }: Pick<Channel, 'freezeWindows'>, now: Date): Date | null {
  const time = now.getTime();
  const window = freezeWindows.find(({ from, to }) => Date.parse(from) <= time && time < Date.parse(to));
  return window === undefined ? null : new Date(window.to);
}

/** Devices that run a release now; `null`: not counted. */
export function runningOf(health: Release['deployment']['health']): number | null {
  return health == null ? null : Math.max(0, health.applied - health.rolledBack);
}

/** Whether a release has a plan that has not ended. */
export function hasOpenPlan({ deployment: { rolloutPlan: plan } }: Release): boolean {
  return plan?.state === 'running' || plan?.state === 'held';
}

/** Devices that went back to an older bundle, with their share in those that ran it. */
export function wentBack(health: Release['deployment']['health']): string {
  if (!health) return count(null);
  return health.applied === 0
    ? count(health.rolledBack)
    : `${count(health.rolledBack)} (${percent(health.rolledBack / health.applied)})`;
}

/** What people wrote about a release: its own notes, else those of the commit. */
export function notesOf({ deployment: { notes, appBuild } }: Release): string | null {
  return notes ?? appBuild?.gitCommitMessage?.split('\n')[0] ?? null;
}

/** Which native versions a release is for, such as "Android: version code 200 and newer". */
export function constraintsOf({ deployment }: Release): string {
  const { appBuild: build } = deployment;
  if (build === undefined) return '';
  const systems = [
    [
      'Android',
      build.minAndroidAppVersionCode,
      build.maxAndroidAppVersionCode,
      deployment.maxAndroidAppVersionCode,
    ],
    ['iOS', build.minIosAppVersionCode, build.maxIosAppVersionCode, deployment.maxIosAppVersionCode],
    [
      'Electron',
      build.minElectronAppVersionCode,
      build.maxElectronAppVersionCode,
      deployment.maxElectronAppVersionCode,
    ],
  ] as const;
  return systems
    .flatMap(([system, min, ...maxima]) => {
      // Both apply; which one is lower, the server knows.
      const max = [...new Set(maxima.filter((each) => each !== null))].join(' and ');
      if (min === null && max === '') return [];
      const range = max === '' ? `${min} and newer` : min === null ? `${max} and older` : `${min} to ${max}`;
      return [`${system}: version code ${range}`];
    })
    .join(', ');
}

/** Why devices do not get a release, by the code of the server: what it is, and what it takes. */
export const exclusions: Readonly<Record<string, readonly [title: string, text: string]>> = {
  'no-default-channel': ['No channel', 'They ask for none, and the app has no default channel.'],
  'channel-not-found': ['Unknown channel', 'They ask for a channel that does not exist.'],
  'forced-elsewhere': ['On another channel', 'A user has put them on another channel.'],
  'other-channel': ['On another channel', 'They ask for another channel.'],
  'channel-paused': ['Channel paused', 'They get it when the channel is resumed.'],
  'channel-expired': ['Channel expired', 'They get it when the channel is extended.'],
  'nothing-deployed': ['Nothing deployed', 'Their channel has no release.'],
  ready: ['Not ready', 'The bundle is not ready for delivery.'],
  approved: ['Waits for approval', 'They get it when it is approved.'],
  min: ['Native version too low', 'They need a newer version from the store first.'],
  max: ['Native version too high', 'The release is for older native versions.'],
  eq: ['Has it already', 'Their native version contains this code.'],
  protection: ['Not signed', 'The channel delivers signed bundles only.'],
  'type-support': ['Plugin too old', 'Their plugin cannot install this kind of bundle.'],
  expiry: ['Bundle expired', 'The bundle is past its date.'],
  damage: ['Damaged', 'A file of the bundle is damaged in the storage.'],
  'empty-files': ['Empty files', 'Their plugin cannot install empty files.'],
  'missing-checksum': ['No checksum', 'The registered bundle has no checksum.'],
  rollback: ['Went back before', 'They rolled this bundle back as often as the limit allows.'],
  downgrade: ['Would go back', 'They run something newer.'],
  reuse: ['Would mix files', 'They would reuse wrong files of an older bundle.'],
  'newer-deployment': ['Gets a newer one', 'A newer release fits them.'],
  rollout: ['Outside of the share', 'They get it when you raise.'],
};
