import { hash } from 'node:crypto';

/** Number of buckets: every value of the first 32 bits of the digest. */
const BUCKETS = 2 ** 32;

/**
 * Position of a device in the rollout of a deployment: the first 32 bits of
 * SHA-256(`deploymentId:deviceId`) divided by 2^32.
 *
 * The value is the same in every process and never changes for a pair of ids, so a growing percentage
 * keeps the devices it had. It differs between deployments, so no device is always among the first.
 *
 * @param deploymentId - id of the deployment
 * @param deviceId - id of the device
 * @returns a number from 0 (inclusive) to 1 (exclusive), evenly distributed over devices
 */
export function bucket(deploymentId: string, deviceId: string): number {
  const digest = hash('sha256', `${deploymentId}:${deviceId}`, 'hex');
  return Number.parseInt(digest.slice(0, 8), 16) / BUCKETS;
}

/**
 * Whether a device takes part in the rollout of a deployment.
 *
 * @param deploymentId - id of the deployment
 * @param deviceId - id of the device; a device without id has no bucket and joins full rollouts only
 * @param percentage - share of devices, from 0 (none) to 1 (all)
 * @returns true when the device is inside the share
 */
export function isInRollout(deploymentId: string, deviceId: string | null, percentage: number): boolean {
  if (percentage >= 1) return true;
  if (percentage <= 0 || !deviceId) return false;
  return bucket(deploymentId, deviceId) < percentage;
}
