import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findEscapingLink } from '../../../common/archives/symbolic-links.js';
import { type BuildRun, StepError } from '../build-run.js';
import { type LfsPointer, MAX_POINTER_BYTES, MIN_POINTER_BYTES, parsePointer } from './lfs-pointer.js';

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Most links, and most pointers, so that a repository cannot fill the memory of the runner. */
const MAX_FOUND = 100_000;

/**
 * Looks through the files of a source, before any command of the project runs. A checkout is held to the same rules for links
 * as an upload.
 *
 * @returns the pointers of Git LFS in place of files
 * @throws StepError when a symbolic link leads out of the project
 * @throws the reason of the signal
 */
export async function readSourceTree({ folders, signal }: BuildRun): Promise<LfsPointer[]> {
  const links = new Map<string, string>();
  const pointers: LfsPointer[] = [];
  const pending = [''];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    signal.throwIfAborted();
    for await (const entry of await opendir(join(folders.repo, parent))) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      // What git keeps is no file of the project: of submodules, it is a file with a path.
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isSymbolicLink()) links.set(path, await readlink(join(folders.repo, path)));
      else await addPointer(pointers, folders.repo, path, entry);
      if (links.size > MAX_FOUND || pointers.length > MAX_FOUND) {
        throw new StepError(
          'source',
          `The source has more than ${MAX_FOUND.toLocaleString('en')} symbolic links, or files in Git LFS.`,
        );
      }
    }
  }
  const problem = await findEscapingLink(links);
  if (problem !== null) throw new StepError('source', `${problem}.`);
  return pointers.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function addPointer(found: LfsPointer[], root: string, path: string, entry: Dirent): Promise<void> {
  if (!entry.isFile()) return;
  const { size } = await lstat(join(root, path));
  if (size < MIN_POINTER_BYTES || size > MAX_POINTER_BYTES) return;
  const pointer = await readPointer(root, path);
  if (pointer !== null) found.push(pointer);
}

/** @param root of the working copy @returns `null`: the file is none, or is not there */
export async function readPointer(root: string, path: string): Promise<LfsPointer | null> {
  const file = await open(join(root, path), READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code ?? '')) return null;
    throw error;
  });
  try {
    const { bytesRead, buffer } = (await file?.read({ buffer: Buffer.alloc(MAX_POINTER_BYTES + 1) })) ?? {};
    const pointer = buffer === undefined ? null : parsePointer(buffer.subarray(0, bytesRead));
    return pointer === null ? null : { path, ...pointer };
  } finally {
    await file?.close();
  }
}
