import { compareRead, readVersion, type VersionedPlatform } from '../../common/compare-versions.js';

/** The highest of some versions; `null`: none of them compares to others. */
export function highestOf<T extends { readonly versionCode: string }>(
  versions: readonly T[],
  platform: VersionedPlatform,
): T | null {
  return versions.reduce<T | null>((highest, version) => {
    if (highest !== null) return isAbove(version, highest, platform) ? version : highest;
    return readVersion(version.versionCode, platform).numbers === null ? null : version;
  }, null);
}

/** Whether a version is above another one. `null`: there is no other one. */
export function isAbove(
  { versionCode }: { readonly versionCode: string },
  other: { readonly versionCode: string } | null,
  platform: VersionedPlatform,
): boolean {
  if (other === null) return true;
  return compareRead(readVersion(versionCode, platform), readVersion(other.versionCode, platform)) === 1;
}
