import type { ArtifactType, BuildArtifact } from './build-artifact.entity.js';

/** The main artifact of a build is the first of these that it has. */
const MAIN_FIRST: readonly ArtifactType[] = [
  'aab',
  'apk',
  'ipa',
  'app',
  'xcarchive',
  'dsym',
  // Of a web build the bundle; of another one, symbols and mappings.
  'zip',
  'manifest',
];

/** The artifact that represents its build. @returns `undefined`: there is none */
export function mainOf(artifacts: readonly BuildArtifact[]): BuildArtifact | undefined {
  const rank = ({ type }: BuildArtifact): number => MAIN_FIRST.indexOf(type);
  return artifacts.toSorted((a, b) => rank(a) - rank(b))[0];
}
