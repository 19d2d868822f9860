import { compareVersions } from '../../common/versions/compare-versions.js';
import type { Platform, VersionConstraint } from '../releases/release-table.js';

/**
 * Whether a native version reaches the lower bound.
 *
 * @param version - native version code of the device
 * @param constraint - constraint of the device's platform
 * @param platform - platform of the device
 * @returns true when there is no bound, or when the version compares to it and is not lower
 */
export function satisfiesMin(version: string, { min }: VersionConstraint, platform: Platform): boolean {
  if (min === null) return true;
  const order = compareVersions(version, min, platform);
  return order !== null && order >= 0;
}

/**
 * Whether a native version stays within the upper bound.
 *
 * @param version - native version code of the device
 * @param constraint - constraint of the device's platform
 * @param platform - platform of the device
 * @returns true when there is no bound, or when the version compares to it and is not higher
 */
export function satisfiesMax(version: string, { max }: VersionConstraint, platform: Platform): boolean {
  if (max === null) return true;
  const order = compareVersions(version, max, platform);
  return order !== null && order <= 0;
}

/**
 * Whether a native version differs from the excluded one, whose binary already contains the code.
 *
 * @param version - native version code of the device
 * @param constraint - constraint of the device's platform
 * @param platform - platform of the device
 * @returns true when nothing is excluded, or when the version is another one; versions that do not compare
 *   are compared as plain strings
 */
export function satisfiesEq(version: string, { eq }: VersionConstraint, platform: Platform): boolean {
  if (eq === null) return true;
  const order = compareVersions(version, eq, platform);
  return order === null ? version !== eq : order !== 0;
}
