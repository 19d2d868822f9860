import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is removed from a part of a cache as a whole. */
export interface CacheEntry {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** When a file of it was last read or written, in milliseconds, as far as the file system says. */
  readonly usedAt: number;
}

/**
 * The entries of a folder. Follows no link.
 *
 * @param patterns as `entries` of `PartRules`
 */
export async function listEntries(folder: string, patterns: readonly string[]): Promise<CacheEntry[]> {
  const split = patterns.map((pattern) => pattern.split('/'));
  const entries: CacheEntry[] = [];
  const pending: string[][] = [[]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const { name } of await opendir(join(folder, ...next))) {
      const names = [...next, name];
      const path = join(folder, ...names);
      const isFolder = (await lstat(path)).isDirectory();
      if (isFolder && split.some((pattern) => leadsTo(names, pattern))) pending.push(names);
      else entries.push(await describe(path));
    }
  }
  return entries;
}

/** Whether entries of the pattern can be in a folder. */
function leadsTo(names: readonly string[], pattern: readonly string[]): boolean {
  const isStore = pattern.at(-1) === '**';
  const known = isStore ? pattern.slice(0, -1) : pattern;
  if (names.length >= known.length && !isStore) return false;
  return known.slice(0, names.length).every((part, index) => fits(names[index] ?? '', part));
}

function fits(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
}

async function describe(path: string): Promise<CacheEntry> {
  let size = 0;
  let usedAt = 0;
  const pending = [path];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const stats = await lstat(next);
    if (stats.isDirectory()) {
      for await (const { name } of await opendir(next)) pending.push(join(next, name));
    } else {
      size += stats.isFile() ? stats.size : 0;
      usedAt = Math.max(usedAt, stats.atimeMs, stats.mtimeMs);
    }
  }
  return { path, size, usedAt };
}
