import { opendir, lstat, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeMark } from '../change-mark.js';

/** How many files and links a folder has. Follows no link. @throws the reason of the signal */
export async function countFiles(folder: string, signal: AbortSignal): Promise<number> {
  let files = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const entry of await opendir(next)) {
      if (entry.isDirectory()) pending.push(join(next, entry.name));
      else files++;
    }
    signal.throwIfAborted();
  }
  return files;
}

/**
 * Removes the files and links of a folder that have changed, and folders that have become empty with them. Follows no link.
 *
 * @returns how many files and links are left
 * @throws the reason of the signal
 */
export async function removeChanged(folder: string, since: ChangeMark, signal: AbortSignal): Promise<number> {
  let files = 0;
  const changed: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const entry of await opendir(next)) {
      const path = join(next, entry.name);
      const stats = await lstat(path);
      const isFolder = stats.isDirectory();
      if (isFolder) pending.push(path);
      if (since.isBefore(stats)) {
        if (isFolder) changed.push(path);
        else await rm(path);
      } else if (!isFolder) files++;
    }
    signal.throwIfAborted();
  }
  // The innermost first. One that still has files stays.
  for (const path of changed.reverse()) await rmdir(path).catch(() => undefined);
  return files;
}
