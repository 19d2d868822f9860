import type { ReleaseChannel, ReleaseDeployment, VersionConstraint } from '../releases/release-table.js';
import {
  decidingRollbacks,
  isApproved,
  isBelowRollbackLimit,
  isBuiltFromUnknown,
  isDownloadable,
  isIntact,
  isOlderThanRunning,
  isReadable,
  isReady,
  isSafeReuse,
  isSignedAsRequired,
  isUnexpired,
  isVerifiable,
} from './conditions.js';
import type { DecisionRequest } from './decision-request.js';
import type { DeploymentCheck } from './decision.js';
import { bucket, isInRollout } from './rollout.js';
import { readConstraint, satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

/** A condition of a deployment, with what an explanation says of it. */
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

/** Which deployments are meant for a device. */
const TARGETING: readonly Check[] = [
  {
    name: 'ready',
    passes: isReady,
    compared: ({ bundle }) => ['ready', bundle.status],
  },
  {
    name: 'approved',
    passes: isApproved,
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
    passes: isSignedAsRequired,
    compared: ({ bundle }, { protectedAt }) => [
      protectedAt === null ? null : 'signed',
      bundle.signed ? 'signed' : 'unsigned',
    ],
  },
  {
    name: 'type-support',
    passes: ({ bundle }, _, request) => isReadable(bundle, request),
    compared: ({ bundle }, _, { readsManifests }) => [readsManifests ? null : 'zip', bundle.artifactType],
  },
];

/**
 * What the server knows to be bad for a device. These checks came later than devices in the field, so they must never
 * make one install something older than what it runs: see `downgrade`.
 */
const PROTECTIONS: readonly Check[] = [
  {
    name: 'expiry',
    passes: ({ bundle }, _, request) => isUnexpired(bundle, request),
    compared: ({ bundle }, _, { now }) => [
      bundle.expiresAt === null ? null : now.toISOString(),
      bundle.expiresAt?.toISOString() ?? null,
    ],
  },
  {
    name: 'damage',
    passes: ({ bundle }, _, request) => isIntact(bundle, request),
    compared: ({ bundle }) => ['intact', bundle.damaged ? 'damaged' : 'intact'],
  },
  {
    name: 'empty-files',
    passes: ({ bundle }, _, request) => isDownloadable(bundle, request),
    compared: ({ bundle: { hasEmptyFiles, artifactType, generatedZip } }, _, { downloadsEmptyFiles }) => [
      hasEmptyFiles && !downloadsEmptyFiles ? 'zip' : null,
      generatedZip === null ? artifactType : 'zip',
    ],
  },
  {
    name: 'missing-checksum',
    // Protected channels require a signature, with which the checksum may be missing.
    passes: ({ bundle }, { protectedAt }, request) => protectedAt !== null || isVerifiable(bundle, request),
    compared: ({ bundle: { artifactType, checksum, signed } }, { protectedAt }, request) => [
      artifactType === 'zip' && !signed && protectedAt === null && !request.installsWithoutChecksum
        ? 'checksum'
        : null,
      checksum === null ? null : 'checksum',
    ],
  },
  {
    name: 'rollback',
    passes: ({ bundle }, channel, request) => isBelowRollbackLimit(bundle, channel, request),
    compared: ({ bundle }, { rollbackLimit }, request) => {
      const { limit, count } = decidingRollbacks(bundle, rollbackLimit ?? Infinity, request);
      return [rollbackLimit === null ? null : limit, count];
    },
  },
];

/** A deployment is acceptable when all of these pass. `findAcceptable` makes them in an order that costs less. */
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
 * It keeps what it runs: nothing older is tried.
 */
export const REUSE: Check = {
  name: 'reuse',
  passes: ({ bundle }, _, request) => isSafeReuse(bundle, request),
  compared: ({ bundle }, _, request) => [
    bundle.unsafeReuses.get(request.bundleId ?? '') ?? (isBuiltFromUnknown(bundle, request) ? 'known' : null),
    request.bundleId,
  ],
};

/**
 * Whether a deployment is kept from the device for its own good, and would otherwise be meant for it. Rollouts do not
 * count, so that all devices which report the same are treated alike.
 */
export function isWithheld(
  deployment: ReleaseDeployment,
  channel: ReleaseChannel,
  request: DecisionRequest,
): boolean {
  return (
    PROTECTIONS.some((check) => !check.passes(deployment, channel, request)) &&
    TARGETING.every((check) => check.name === 'rollout' || check.passes(deployment, channel, request))
  );
}

function versionCheck(name: keyof VersionConstraint, satisfies: typeof satisfiesMin): Check {
  return {
    name,
    passes: ({ constraints }, _, { platform, nativeVersion }) =>
      satisfies(nativeVersion, readConstraint(constraints[platform], platform)),
    compared: ({ constraints }, _, { platform, appVersionCode }) => [
      constraints[platform][name],
      appVersionCode,
    ],
  };
}
