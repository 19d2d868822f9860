import { compareSemver } from '../../common/versions/compare-versions.js';
import type { DeploymentCheck, UpdateCheck } from './decision.js';
import { newestFirst } from '../releases/release-index.js';
import type {
  ReleaseBundle,
  ReleaseChannel,
  ReleaseDeployment,
  VersionConstraint,
} from '../releases/release-table.js';
import { bucket, isInRollout } from './rollout.js';
import type { RollbackCounts } from '../releases/rollback-counts.js';
import { satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

/** First Capacitor plugin that reads manifests. */
export const FIRST_VERSION_WITH_MANIFESTS = '6.5.0';

/** First Capacitor plugin that downloads a file that it cannot copy. */
const FIRST_VERSION_WITH_FALLBACK = '7.2.2';

/** What a device reports, in the form in which deployments are checked. */
export interface DecisionRequest extends Required<UpdateCheck> {
  readonly now: Date;
  /** Whether a newer deployment is kept from the device for its own good, or was when it was deleted. */
  isProtected: boolean;
  /** How often devices of the app have rolled bundles back. */
  readonly rollbacks: RollbackCounts;
}

/** A condition of a deployment. */
export interface Check {
  readonly name: DeploymentCheck['check'];
  passes(deployment: ReleaseDeployment, channel: ReleaseChannel, request: DecisionRequest): boolean;
  /** The two values for the trace: what is required and what was found. */
  compared(
    deployment: ReleaseDeployment,
    channel: ReleaseChannel,
    request: DecisionRequest,
  ): [required: DeploymentCheck['required'], actual: DeploymentCheck['actual']];
}

/**
 * What the server knows to be bad for a device. These checks came later than devices in the field, so they must never
 * make one install something older than what it runs: see `downgrade`.
 */
const PROTECTIONS: readonly Check[] = [
  {
    name: 'expiry',
    passes: ({ bundle }, _, { bundleId, now }) =>
      bundle.expiresAt === null || bundle.expiresAt > now || bundle.id === bundleId,
    compared: ({ bundle }, _, { now }) => [
      bundle.expiresAt === null ? null : now.toISOString(),
      bundle.expiresAt?.toISOString() ?? null,
    ],
  },
  {
    name: 'damage',
    passes: ({ bundle }, _, { bundleId }) => !bundle.damaged || bundle.id === bundleId,
    compared: ({ bundle }) => ['intact', bundle.damaged ? 'damaged' : 'intact'],
  },
  {
    name: 'rollback',
    passes: ({ bundle }, { rollbackLimit }, request) =>
      rollbackLimit === null ||
      bundle.id === request.bundleId ||
      rollbacksOf(bundle, request) < rollbackLimit,
    compared: ({ bundle }, { rollbackLimit }, request) => [rollbackLimit, rollbacksOf(bundle, request)],
  },
];

/** Which deployments are meant for a device. */
const TARGETING: readonly Check[] = [
  {
    name: 'ready',
    passes: ({ bundle }) => bundle.status === 'ready',
    compared: ({ bundle }) => ['ready', bundle.status],
  },
  {
    name: 'approved',
    passes: ({ approvalStatus }) => approvalStatus === 'approved',
    compared: ({ approvalStatus }) => ['approved', approvalStatus],
  },
  {
    name: 'rollout',
    passes: ({ id, rolloutPercentage }, _, { deviceId }) => isInRollout(id, deviceId, rolloutPercentage),
    compared: ({ id, rolloutPercentage }, _, { deviceId }) => [
      rolloutPercentage,
      deviceId === null ? null : bucket(id, deviceId),
    ],
  },
  versionCheck('min', satisfiesMin),
  versionCheck('max', satisfiesMax),
  versionCheck('eq', satisfiesEq),
  {
    name: 'protection',
    passes: ({ bundle }, channel) => channel.protectedAt === null || bundle.signed,
    compared: ({ bundle }, channel) => [
      channel.protectedAt === null ? null : 'signed',
      bundle.signed ? 'signed' : 'unsigned',
    ],
  },
  {
    name: 'type-support',
    passes: ({ bundle }, _, request) => bundle.artifactType === 'zip' || readsManifests(request),
    compared: ({ bundle }, _, request) => [readsManifests(request) ? null : 'zip', bundle.artifactType],
  },
];

/** A deployment is acceptable when all of these pass. */
export const CHECKS: readonly Check[] = [
  ...TARGETING,
  ...PROTECTIONS,
  {
    name: 'downgrade',
    passes: (deployment, channel, request) =>
      !request.isProtected || !isOlderThanRunning(deployment, channel, request),
    compared: (_deployment, _channel, { isProtected, bundleId }) => [isProtected ? bundleId : null, bundleId],
  },
];

/**
 * A device must not build the bundle of an acceptable deployment from one that it runs and that would give it wrong files.
 * It keeps what it runs: nothing older is tried. See `findUnsafeReuse`.
 */
export const REUSE: Check = {
  name: 'reuse',
  passes: ({ bundle }, _, request) => {
    if (request.bundleId === null || request.bundleId === bundle.id) return true;
    const kind = bundle.unsafeReuses.get(request.bundleId);
    return kind === undefined || (kind === 'absent' && downloadsWhatItCannotCopy(request));
  },
  compared: ({ bundle }, _, { bundleId }) => [bundle.unsafeReuses.get(bundleId ?? '') ?? null, bundleId],
};

function rollbacksOf({ id }: ReleaseBundle, request: DecisionRequest): number {
  return request.rollbacks.of(request.deviceId, id, request.appVersionCode);
}

/**
 * Whether a deployment is kept from the device for its own good, and would otherwise be meant for it. Rollouts do not
 * count, so that all devices which report the same are treated alike.
 */
export function isWithheld(
  deployment: ReleaseDeployment,
  channel: ReleaseChannel,
  request: DecisionRequest,
): boolean {
  const passes = (check: Check): boolean => check.passes(deployment, channel, request);
  return !PROTECTIONS.every(passes) && TARGETING.every((check) => check.name === 'rollout' || passes(check));
}

/**
 * Whether a deployment is older than that of the bundle that runs, which may have been deleted since. One that the channel
 * does not have may be newer.
 */
function isOlderThanRunning(
  { bundle, sequence }: ReleaseDeployment,
  channel: ReleaseChannel,
  { bundleId }: DecisionRequest,
): boolean {
  if (bundleId === null || bundle.id === bundleId) return false;
  const deployed = newestFirst(channel).find((deployment) => deployment.bundle.id === bundleId)?.sequence;
  const retired = channel.retiredBundles.get(bundleId);
  return sequence < (retired === undefined ? (deployed ?? Infinity) : Math.max(retired, deployed ?? 0));
}

function versionCheck(name: keyof VersionConstraint, satisfies: typeof satisfiesMin): Check {
  return {
    name,
    passes: ({ constraints }, _, { appVersionCode, platform }) =>
      satisfies(appVersionCode, constraints[platform], platform),
    compared: ({ constraints }, _, { appVersionCode, platform }) => [
      constraints[platform][name],
      appVersionCode,
    ],
  };
}

/** The plugin of Cordova always did. A version that cannot be read may be older. */
function downloadsWhatItCannotCopy({ pluginVersion, runtime }: DecisionRequest): boolean {
  return runtime === 'cordova' || (compareSemver(pluginVersion, FIRST_VERSION_WITH_FALLBACK) ?? -1) >= 0;
}

/**
 * The Electron client reads archives only, Capacitor plugins learned manifests in 6.5.0. The Cordova plugin
 * has always read them and counts its own versions from 0.1.0. Versions that cannot be read are taken for
 * modern ones.
 */
function readsManifests({ platform, pluginVersion, runtime }: DecisionRequest): boolean {
  if (platform === 'electron') return false;
  if (runtime === 'cordova') return true;
  const order = compareSemver(pluginVersion, FIRST_VERSION_WITH_MANIFESTS);
  return order === null || order >= 0;
}
