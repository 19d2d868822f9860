import type { OpenRange } from '../../storage/zips/range-reader.js';
import { readAab } from './android/read-aab.js';
import { readApk } from './android/read-apk.js';
import type { ArtifactFacts, ReadableType } from './artifact-facts.js';
import { ArtifactProblem } from './artifact-problem.js';
import { readApp } from './ios/read-app.js';
import { readIpa } from './ios/read-ipa.js';
import { ArtifactZip } from './zip/artifact-zip.js';
import { describeFile } from './zip/describe-file.js';

/** Opens the files of one type. It may take any time and memory: it runs in a process of its own. */
export type ArtifactReader = (zip: ArtifactZip) => Promise<ArtifactFacts>;

const READERS: Readonly<Record<ReadableType, ArtifactReader>> = {
  aab: readAab,
  apk: readApk,
  app: readApp,
  ipa: readIpa,
};

/** The file, or the folder of one, that every artifact of a type has. */
const MARKS: Readonly<Record<ReadableType, RegExp>> = {
  aab: /^base\/manifest\/AndroidManifest\.xml$/,
  apk: /^AndroidManifest\.xml$/,
  app: /^[^/]+\.app\//,
  ipa: /^Payload\/[^/]+\.app\//,
};

/** What was read, or why it was not. */
export type ArtifactReading = { readonly facts: ArtifactFacts } | { readonly problem: string };

/**
 * Reads a file.
 *
 * @param openRange fails only when the storage does
 * @returns a problem as `ArtifactProblem` has it
 */
export async function readArtifact(
  type: ReadableType,
  sizeInBytes: number,
  openRange: OpenRange,
): Promise<ArtifactReading> {
  try {
    const zip = await ArtifactZip.open(openRange, sizeInBytes);
    const paths = zip.paths();
    if (!paths.some((path) => MARKS[type].test(path))) return { problem: `it is ${describeFile(paths)}` };
    return { facts: await READERS[type](zip) };
  } catch (error) {
    if (error instanceof ArtifactProblem) return { problem: error.message };
    return { problem: 'it is damaged' };
  }
}
