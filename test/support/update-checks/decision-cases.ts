import type { DeviceCheck } from '../../../src/devices/channel-decision/device-decision.js';
import type {
  ReleaseBundle,
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
} from '../../../src/devices/releases/release-table.js';
import type { RollbackCounts } from '../../../src/devices/releases/rollback-counts.js';

/** A check of a device, and the releases of its app. */
export interface DecisionCase {
  readonly table: ReleaseTable;
  readonly check: DeviceCheck;
}

type DeploymentValues = Partial<Omit<ReleaseDeployment, 'bundle'>> & {
  readonly bundle?: Partial<ReleaseBundle>;
};

const UNKNOWN = 'ffffffff-5a9c-4f3e-8f3e-0a4b7c1d2e3f';
const OPEN = { min: null, max: null, eq: null };
const LATER_VERSIONS = { android: { min: '11', max: null, eq: null }, ios: OPEN, electron: OPEN };

/** Id of the bundle of the `n`th deployment. */
export const bundleIdOf = (n: number): string => `0000000b-5a9c-4f3e-8f3e-${String(n).padStart(12, '0')}`;

/** A zip that nothing is wrong with, and that every device may install. */
export const BUNDLE: ReleaseBundle = {
  id: 'bundle',
  artifactType: 'zip',
  status: 'ready',
  signed: false,
  checksum: '0'.repeat(64),
  signature: null,
  url: null,
  expiresAt: null,
  unsafeReuses: new Map(),
  damaged: false,
  hasEmptyFiles: false,
  generatedZip: null,
  customProperties: null,
};

/** The `n`th deployment to a channel, of which the first is the newest: all devices get it, unless the values say otherwise. */
export function deploymentOf(n: number, { bundle, ...values }: DeploymentValues = {}): ReleaseDeployment {
  return {
    id: bundleIdOf(n).replace('b', 'd'),
    createdAt: new Date(0),
    sequence: 1000 - n,
    approvalStatus: 'approved',
    rolloutPercentage: 1,
    constraints: { android: OPEN, ios: OPEN, electron: OPEN },
    ...values,
    bundle: { ...BUNDLE, id: bundleIdOf(n), ...bundle },
  };
}

/** Releases with one channel, in which three roll-backs are too many. */
export function tableOf(deployments: readonly ReleaseDeployment[], rollbacks: RollbackCounts): ReleaseTable {
  const channel: ReleaseChannel = {
    id: 'channel',
    name: 'default',
    pausedAt: null,
    expiresAt: null,
    protectedAt: null,
    rollbackLimit: 3,
    deployments,
    retiredBundles: new Map(),
  };
  return {
    appId: 'app',
    defaultChannelId: channel.id,
    channels: [channel],
    forcedChannelIds: new Map(),
    knownBundles: null,
    rollbacks,
  };
}

/** What the device reports that all tables are for. */
export const CHECK: DeviceCheck = {
  deviceId: '5d1c6ad4-5a9c-4f3e-8f3e-0a4b7c1d2e3f',
  channelNames: [],
  platform: 'android',
  appVersionCode: '10',
  pluginVersion: '8.4.3',
  runtime: null,
  bundleId: null,
};

/**
 * What costs most in an update check: each by what the device gets, and why.
 *
 * @param rollbacks of other devices
 * @param noRollbacks none
 */
export function casesOf(
  rollbacks: RollbackCounts,
  noRollbacks: RollbackCounts,
): Readonly<Record<string, DecisionCase>> {
  const one = (
    count: number,
    valuesOf: (n: number) => DeploymentValues,
    bundleId: string | null = null,
    counts = rollbacks,
  ): DecisionCase => {
    const deployments = Array.from({ length: count }, (_, n) => deploymentOf(n + 1, valuesOf(n + 1)));
    return { table: tableOf(deployments, counts), check: { ...CHECK, bundleId } };
  };
  const open = (): DeploymentValues => ({});
  const later = (): DeploymentValues => ({ constraints: LATER_VERSIONS });
  const toNone = (): DeploymentValues => ({ rolloutPercentage: 0 });
  const toFew = (): DeploymentValues => ({ rolloutPercentage: 1e-9 });
  const unverified = (): DeploymentValues => ({ rolloutPercentage: 0, bundle: { checksum: null } });
  const damagedFirst = (n: number): DeploymentValues => (n === 1 ? { bundle: { damaged: true } } : {});
  return {
    'an update': one(50, open),
    'an update, no roll-backs in the app': one(50, open, null, noRollbacks),
    'an update, a bundle runs': one(50, open, bundleIdOf(2)),
    'nothing was deployed': one(0, open),
    '1 for later versions': one(1, later),
    '50 for later versions': one(50, later),
    '100 for later versions': one(100, later),
    'an update as the 100th': one(100, (n) => (n < 100 ? later() : {})),
    '100 at 0 %': one(100, toNone),
    '100 at 0 %, a bundle runs': one(100, toNone, bundleIdOf(90)),
    '100 at 0 %, without a checksum': one(100, unverified),
    '100 at 1 %': one(100, toFew),
    '100 at 1 %, a bundle runs': one(100, toFew, bundleIdOf(90)),
    'the newest damaged, an unknown bundle runs': one(100, damagedFirst, UNKNOWN),
  };
}
