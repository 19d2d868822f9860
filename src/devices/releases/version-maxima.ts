import { compareVersions } from '../../common/compare-versions.js';
import type { NativeMaxima } from '../../common/native-maxima.js';
import type { Platform, VersionConstraint, VersionConstraints } from './release-table.js';

/**
 * The constraints of a build that goes to some native versions only: the lower maximum counts. Where the two do not compare,
 * it is the one of the build.
 */
export function withMaxima(constraints: VersionConstraints, maxima: NativeMaxima): VersionConstraints {
  const { android, ios, electron } = maxima;
  if (android === null && ios === null && electron === null) return constraints;
  return {
    android: upTo(android, constraints.android, 'android'),
    ios: upTo(ios, constraints.ios, 'ios'),
    electron: upTo(electron, constraints.electron, 'electron'),
  };
}

function upTo(maximum: string | null, constraint: VersionConstraint, platform: Platform): VersionConstraint {
  if (maximum === null) return constraint;
  const isLower = constraint.max === null || compareVersions(maximum, constraint.max, platform) === -1;
  return isLower ? { ...constraint, max: maximum } : constraint;
}
