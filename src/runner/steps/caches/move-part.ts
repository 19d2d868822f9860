import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
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
  for (const path of only.length === 0 ? [''] : await foldersOf(from, only)) {
    if (!(await isFolder(join(from, path)))) continue;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await move(join(from, path), join(to, path), signal);
    moved = true;
  }
  return moved;
}

/**
 * The folders of a folder that patterns name. Follows no link.
 *
 * @param patterns paths relative to the folder, in which `*` stands for any part of a name
 */
export async function foldersOf(root: string, patterns: readonly string[]): Promise<string[]> {
  if (!(await isFolder(root))) return [];
  const found: string[] = [];
  for (const pattern of patterns) {
    let level = [''];
    for (const part of pattern.split('/')) {
      const below = await Promise.all(level.map((path) => namesIn(root, path, part)));
      level = below.flat();
    }
    found.push(...level);
  }
  return found;
}

async function namesIn(root: string, path: string, pattern: string): Promise<string[]> {
  // Another runner may remove it.
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && fits(entry.name, pattern))
    .map(({ name }) => join(path, name));
}

/** Whether a name is one of a pattern with at most one `*`. */
export function fits(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
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
