import { HAS_BACKSLASH } from '../../common/archives/entry-problems.js';
import { TooMuchWorkError, type WorkBudget } from '../../common/work-budget.js';
import type { OpenRange } from '../../storage/zips/range-reader.js';
import { readAab } from './android/read-aab.js';
import { readApk } from './android/read-apk.js';
import type { ArtifactFacts, ReadableType } from './artifact-facts.js';
import { ArtifactProblem } from './artifact-problem.js';
import { readApp } from './ios/read-app.js';
import { isDeviceInIpa, readIpa } from './ios/read-ipa.js';
import { ArtifactZip, shown } from './artifact-zip.js';
import { describeFile } from './describe-file.js';

/** Opens the files of one type. It may take any time and memory: it runs in a separate process. */
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

/** What was read, and entries of which nothing was: see `ArtifactZip.remark`. */
export interface ReadFacts {
  readonly facts: ArtifactFacts;
  readonly remark: string | null;
}

/** What was read, or why it was not. */
export type ArtifactReading = ReadFacts | { readonly problem: string };

/** Whether the profile of an ipa lists a device, or why it was not read. */
export type DeviceReading = { readonly isInProfile: boolean } | { readonly problem: string };

/**
 * Reads a file.
 *
 * @param openRange fails only when the storage does
 * @param work counts what it costs; by default, it is limited to what apps need
 * @returns a problem as `ArtifactProblem` has it
 */
export function readArtifact(
  type: ReadableType,
  sizeInBytes: number,
  openRange: OpenRange,
  work?: WorkBudget,
): Promise<ArtifactReading> {
  return orProblem(async () => {
    const zip = await ArtifactZip.open(openRange, sizeInBytes, work);
    const paths = zip.paths();
    if (!paths.some((path) => MARKS[type].test(path))) {
      const marked = paths.find((path) => MARKS[type].test(path.replaceAll('\\', '/')));
      if (marked !== undefined) return { problem: `${shown(marked)} ${HAS_BACKSLASH}` };
      return { problem: `it is ${describeFile(paths)}` };
    }
    return { facts: await READERS[type](zip), remark: zip.remark() };
  });
}

/**
 * Looks for a device in the profile of an ipa.
 *
 * @param udid of the device
 * @param openRange fails only when the storage does
 */
export function findDevice(udid: string, sizeInBytes: number, openRange: OpenRange): Promise<DeviceReading> {
  return orProblem(async () => ({
    isInProfile: await isDeviceInIpa(await ArtifactZip.open(openRange, sizeInBytes), udid),
  }));
}

async function orProblem<R>(read: () => Promise<R>): Promise<R | { readonly problem: string }> {
  try {
    return await read();
  } catch (error) {
    const isKnown = error instanceof ArtifactProblem || error instanceof TooMuchWorkError;
    return { problem: isKnown ? error.message : 'it is damaged' };
  }
}
