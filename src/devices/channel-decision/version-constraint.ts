import {
  compareRead,
  readVersion,
  type ReadVersion,
  type VersionedPlatform,
} from '../../common/compare-versions.js';
import type { VersionConstraint } from '../releases/release-table.js';

/** A constraint whose versions were read; `null`: none. */
export type ReadConstraint = { readonly [K in keyof VersionConstraint]: ReadVersion | null };

/** Reads the constraint of a platform. */
export function readConstraint(
  { min, max, eq }: VersionConstraint,
  platform: VersionedPlatform,
): ReadConstraint {
  return {
    min: min === null ? null : readVersion(min, platform),
    max: max === null ? null : readVersion(max, platform),
    eq: eq === null ? null : readVersion(eq, platform),
  };
}

/** Whether a native version reaches the lower bound, if there is one. A version that does not compare to it does not. */
export function satisfiesMin(version: ReadVersion, { min }: ReadConstraint): boolean {
  if (min === null) return true;
  const order = compareRead(version, min);
  return order !== null && order >= 0;
}

/** Whether a native version stays within the upper bound, if there is one. A version that does not compare to it does not. */
export function satisfiesMax(version: ReadVersion, { max }: ReadConstraint): boolean {
  if (max === null) return true;
  const order = compareRead(version, max);
  return order !== null && order <= 0;
}

/**
 * Whether a native version differs from the excluded one, if there is one, whose binary already contains the code. Versions
 * that do not compare are compared as texts.
 */
export function satisfiesEq(version: ReadVersion, { eq }: ReadConstraint): boolean {
  if (eq === null) return true;
  const order = compareRead(version, eq);
  return order === null ? version.text !== eq.text : order !== 0;
}
