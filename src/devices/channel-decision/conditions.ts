import type { ReleaseBundle, ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import type { DecisionRequest } from './decision-request.js';
import { type ReadConstraint, satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

/*
 * What must hold for a device to be offered a deployment. Each condition stands here once, for the decision and for its
 * explanation. The first ones depend on the channel alone, so they hold for all devices or for none.
 */

export function isReady({ bundle }: ReleaseDeployment): boolean {
  return bundle.status === 'ready';
}

export function isApproved({ approvalStatus }: ReleaseDeployment): boolean {
  return approvalStatus === 'approved';
}

export function isSignedAsRequired({ bundle }: ReleaseDeployment, { protectedAt }: ReleaseChannel): boolean {
  return protectedAt === null || bundle.signed;
}

/** Whether the native version of the device may receive the bundle. @param constraint `null`: every version may */
export function admitsVersion(
  constraint: ReadConstraint | null,
  { nativeVersion }: DecisionRequest,
): boolean {
  if (constraint === null) return true;
  return (
    satisfiesMin(nativeVersion, constraint) &&
    satisfiesMax(nativeVersion, constraint) &&
    satisfiesEq(nativeVersion, constraint)
  );
}

export function isReadable({ artifactType }: ReleaseBundle, request: DecisionRequest): boolean {
  return artifactType === 'zip' || request.readsManifests;
}

export function isUnexpired({ id, expiresAt }: ReleaseBundle, request: DecisionRequest): boolean {
  return expiresAt === null || expiresAt > request.now || id === request.bundleId;
}

export function isIntact({ id, damaged }: ReleaseBundle, { bundleId }: DecisionRequest): boolean {
  return !damaged || id === bundleId;
}

/** Whether the device can download all files of the bundle: otherwise it needs them in a zip. */
export function isDownloadable(
  { id, hasEmptyFiles, generatedZip }: ReleaseBundle,
  request: DecisionRequest,
): boolean {
  return !hasEmptyFiles || generatedZip !== null || request.downloadsEmptyFiles || id === request.bundleId;
}

/**
 * Whether the device can verify the bundle: some need the checksum of a zip in the response, unless they verify its signature.
 * Only registered bundles may lack it.
 */
export function isVerifiable(
  { id, artifactType, checksum, signed }: ReleaseBundle,
  request: DecisionRequest,
): boolean {
  return (
    checksum !== null ||
    signed ||
    artifactType !== 'zip' ||
    id === request.bundleId ||
    request.installsWithoutChecksum
  );
}

/**
 * An app itself can leave a healthy bundle, again and again. All roll-backs together may be so many times the limit.
 */
const LIMIT_OF_ALL = 3;

/** Whether the device has rolled the bundle back less often than the channel limits. */
export function isBelowRollbackLimit(
  bundle: ReleaseBundle,
  channel: ReleaseChannel,
  request: DecisionRequest,
): boolean {
  if (channel.rollbackLimit === null || bundle.id === request.bundleId) return true;
  const { limit, count } = decidingRollbacks(bundle, channel.rollbackLimit, request);
  return count < limit;
}

/**
 * The count that decides, and what it is compared with: all roll-backs of the device in its native version if these are too
 * many, otherwise those since it last ran the bundle well.
 */
export function decidingRollbacks(
  { id }: ReleaseBundle,
  rollbackLimit: number,
  request: DecisionRequest,
): { limit: number; count: number } {
  const { consecutive, all } = request.rollbacks.of(request.deviceId, id, request.appVersionCode);
  const limitOfAll = LIMIT_OF_ALL * rollbackLimit;
  return consecutive < rollbackLimit && all >= limitOfAll
    ? { limit: limitOfAll, count: all }
    : { limit: rollbackLimit, count: consecutive };
}

/** Whether the bundle that runs was deleted after it had expired, so that the device must not get something older. */
export function isRetired({ retiredBundles }: ReleaseChannel, { bundleId }: DecisionRequest): boolean {
  return bundleId !== null && retiredBundles.has(bundleId);
}

/** Whether a deployment is older than the last one of the bundle that runs, and of another bundle. */
export function isOlderThanRunning(
  { bundle, sequence }: ReleaseDeployment,
  channel: ReleaseChannel,
  request: DecisionRequest,
): boolean {
  if (request.bundleId === null) return false;
  const place = request.placeOfRunning(channel);
  // What has no place is no bundle of the channel: comparing ids takes longer than the rest.
  return sequence < place && (place === Infinity || bundle.id !== request.bundleId);
}

/**
 * Whether the device would build the bundle right, from the one that it runs. See `findUnsafeReuse`.
 */
export function isSafeReuse(bundle: ReleaseBundle, request: DecisionRequest): boolean {
  if (request.bundleId === null || request.bundleId === bundle.id) return true;
  // It gets the generated zip, and reuses nothing.
  if (bundle.hasEmptyFiles && bundle.generatedZip !== null && !request.downloadsEmptyFiles) return true;
  const kind = bundle.unsafeReuses.get(request.bundleId);
  if (kind !== undefined) return kind === 'absent' && request.downloadsWhatItCannotCopy;
  return !isBuiltFromUnknown(bundle, request);
}

/**
 * Whether the device would build the bundle from one that it was not compared with, and the app does not want that. Unsigned
 * manifests reuse nothing of it, and zips nothing at all.
 */
export function isBuiltFromUnknown(
  { id, artifactType, signed }: ReleaseBundle,
  request: DecisionRequest,
): boolean {
  const { bundleId, knownBundles } = request;
  if (knownBundles === null || bundleId === null || bundleId === id) return false;
  return signed && artifactType === 'manifest' && !knownBundles.has(bundleId) && request.readsManifests;
}
