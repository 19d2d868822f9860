import { chmod, lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';

/** Most files of a cache. */
const MAX_FILES = 500_000;
const PERMISSIONS = 0o777;
const MODE_BITS = 0o7777;

/**
 * Makes a folder that a build has filled safe to keep: removes what is no file, folder or link, and takes setuid and the
 * like from the rest. Follows no link.
 *
 * @param without names of files and folders that are removed, too
 * @returns its size in bytes; `null`: it has too many files, or cannot be read
 * @throws the reason of the signal
 */
export async function cleanTree(
  folder: string,
  without: RegExp | null,
  signal: AbortSignal,
): Promise<number | null> {
  let size = 0;
  let files = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const { name } of await opendir(next)) {
      signal.throwIfAborted();
      const path = join(next, name);
      const stats = await lstat(path).catch(() => null);
      if (stats === null || ++files > MAX_FILES) return null;
      if (without?.test(name) === true) {
        // They may be many: a program for each takes longer.
        await (stats.isDirectory() ? removeFolder(path) : rm(path));
        continue;
      }
      if (stats.isSymbolicLink()) continue;
      if (!stats.isFile() && !stats.isDirectory()) {
        await rm(path, { force: true });
        continue;
      }
      if ((stats.mode & MODE_BITS) !== (stats.mode & PERMISSIONS))
        await chmod(path, stats.mode & PERMISSIONS);
      if (stats.isDirectory()) pending.push(path);
      else size += stats.size;
    }
  }
  return size;
}
