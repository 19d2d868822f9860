import type { ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import { candidatesOf } from './candidates.js';
import {
  admitsVersion,
  isBelowRollbackLimit,
  isDownloadable,
  isIntact,
  isOlderThanRunning,
  isReadable,
  isRetired,
  isUnexpired,
  isVerifiable,
} from './conditions.js';
import type { DecisionRequest } from './decision-request.js';
import { isInRollout } from './rollout.js';

/**
 * The newest deployment of a channel that passes all `CHECKS`; `null`: none does. Which deployments may be meant for the
 * device is known of the channel (`candidatesOf`). Hashes come last: one for each partial rollout, and those for
 * roll-backs where nothing else decides.
 */
export function findAcceptable(channel: ReleaseChannel, request: DecisionRequest): ReleaseDeployment | null {
  request.isProtected = isRetired(channel, request);
  /** Deployments in whose rollouts the device is not, and which it may have rolled back. */
  let outside: ReleaseDeployment[] | null = null;
  for (const { deployment, constraint } of candidatesOf(channel, request.platform)) {
    if (!admitsVersion(constraint, request)) continue;
    const { bundle, id, rolloutPercentage } = deployment;
    if (!isReadable(bundle, request)) continue;
    if (request.isProtected && isOlderThanRunning(deployment, channel, request)) continue;
    if (
      !isUnexpired(bundle, request) ||
      !isIntact(bundle, request) ||
      !isDownloadable(bundle, request) ||
      !isVerifiable(bundle, request)
    ) {
      request.isProtected = true;
    } else if (!isInRollout(id, request.deviceId, rolloutPercentage)) {
      if (mayProtect(channel, request)) (outside ??= []).push(deployment);
    } else if (!isBelowRollbackLimit(bundle, channel, request)) {
      request.isProtected = true;
    } else if (
      outside !== null &&
      isOlderThanRunning(deployment, channel, request) &&
      !areBelowRollbackLimit(outside, channel, request)
    ) {
      request.isProtected = true;
    } else {
      return deployment;
    }
  }
  return null;
}

/** Whether a roll-back could still keep something older from the device. */
function mayProtect(
  { rollbackLimit }: ReleaseChannel,
  { isProtected, bundleId, rollbacks }: DecisionRequest,
): boolean {
  return rollbackLimit !== null && !isProtected && bundleId !== null && !rollbacks.isEmpty;
}

function areBelowRollbackLimit(
  deployments: readonly ReleaseDeployment[],
  channel: ReleaseChannel,
  request: DecisionRequest,
): boolean {
  return deployments.every(({ bundle }) => isBelowRollbackLimit(bundle, channel, request));
}
