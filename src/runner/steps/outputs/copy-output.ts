import { constants, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { StepError } from '../build-run.js';
import type { ProjectFolder } from '../project/project-folder.js';

/** As much as the API takes: 2 GiB. */
const MAX_BYTES = 2 * 1024 ** 3;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Copies a file that the build has made to where the build cannot change it.
 *
 * @param path relative to the folder
 * @param target does not exist
 * @throws StepError when it leads out of the folder, is no ordinary file, is empty or too large
 * @throws the reason of the signal
 */
export async function copyOutput(
  files: ProjectFolder,
  path: string,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await files.resolve('output', path);
  if (found === null) throw new StepError('output', `The build names ${path}, which does not exist.`);
  const file = await open(found, READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (['EISDIR', 'ENXIO', 'EACCES', 'ELOOP'].includes(error.code ?? '')) return null;
    throw error;
  });
  try {
    const stats = await file?.stat();
    if (file === null || stats?.isFile() !== true) {
      throw new StepError('output', `${path} is not an ordinary file.`);
    }
    if (stats.size === 0) throw new StepError('output', `${path} is empty.`);
    if (stats.size > MAX_BYTES) throw new StepError('output', `${path} has more than 2 GiB.`);
    const bytes = file.createReadStream({ start: 0, end: stats.size - 1, autoClose: false });
    await pipeline(bytes, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  } finally {
    await file?.close();
  }
}
