import { realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildRun, type BuiltFile, StepError } from '../../../steps/build-run.js';
import { zipFiles, type ZipEntry } from '../../../steps/outputs/zip-files.js';
import { listFolder } from './list-folder.js';

/** As much as the API takes: 2 GiB. */
const MAX_BYTES = 2 * 1024 ** 3;

/** A folder that goes into a zip. */
export interface PackedFolder {
  /** Absolute. */
  readonly path: string;
  /** In the zip. */
  readonly name: string;
}

/**
 * Packs folders, each of which is at the root of the zip.
 *
 * @param fileName of the zip, in the folder `artifacts` of the job
 * @throws StepError when they cannot be packed
 */
export async function packFolders(
  { folders, log, signal }: Pick<BuildRun, 'folders' | 'log' | 'signal'>,
  type: BuiltFile['type'],
  packed: readonly PackedFolder[],
  fileName: string,
): Promise<BuiltFile> {
  const entries: ZipEntry[] = [];
  for (const { path, name } of packed) entries.push(...(await listFolder(await realpath(path), name)));
  const path = join(folders.artifacts, fileName);
  log.line(`Packing ${entries.length} files to ${fileName}`);
  await zipFiles(entries, path, signal);
  if ((await stat(path)).size > MAX_BYTES) {
    await rm(path);
    throw new StepError('output', `${fileName} has more than 2 GiB.`);
  }
  return { type, fileName, path };
}
