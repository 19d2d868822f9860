import { lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyTree } from './copy-tree.js';

/**
 * Moves folders of a part out of the folder of a job. What a build has put in their place, such as a link, stays.
 *
 * @param only as in `PartRules`
 * @returns whether there were some
 * @throws the reason of the signal
 */
export async function movePart(
  from: string,
  to: string,
  only: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let moved = false;
  for (const path of only.length === 0 ? [''] : only) {
    if (!(await isFolderWithin(from, path))) continue;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await move(join(from, path), join(to, path), signal);
    moved = true;
  }
  return moved;
}

async function isFolderWithin(root: string, path: string): Promise<boolean> {
  const names = path.split('/').filter((name) => name !== '');
  for (let depth = 0; depth <= names.length; depth++) {
    if (!(await isFolder(join(root, ...names.slice(0, depth))))) return false;
  }
  return true;
}

/** Whether there is a folder, and no link to one. */
export async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true;
}

async function move(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // Another file system.
    if (!['EXDEV', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyTree(from, to, signal);
  }
}
