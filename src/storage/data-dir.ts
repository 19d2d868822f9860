import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/**
 * Creates `DATA_DIR` unless it is there. Others may enter, because PostgreSQL may run as another operating-system user, but
 * only the owner can list it.
 *
 * @throws Error of one sentence when it cannot be created or written
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(resolve(dataDir));
    if (!(await stat(dataDir)).isDirectory()) throw new Error('it is a file');
  } catch (error) {
    throw new Error(`DATA_DIR=${dataDir} is not a folder and cannot be created: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  await access(dataDir, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw cannotWrite(dataDir, error);
  });
}

/** Says in one sentence that `DATA_DIR` cannot be written. @param cause an error of the file system */
export function cannotWrite(dataDir: string, cause: unknown): Error {
  return new Error(`DATA_DIR=${dataDir} cannot be written: ${reasonOf(cause)}.`, { cause });
}

/** One folder after the other: `recursive` of Node.js never ends in file systems such as `/proc`, which take none. */
async function makeFolder(folder: string): Promise<void> {
  const exists = await stat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (exists) return;
  await makeFolder(dirname(folder));
  await mkdir(folder, 0o711).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Without the path: it may be that of a temporary file. */
function reasonOf(error: unknown): string {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  return errno === undefined ? message : `${getSystemErrorMessage(errno)} (${code})`;
}
