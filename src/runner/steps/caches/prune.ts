import { rm, lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { type CachePart, partRules } from './cache-parts.js';
import { fits } from './move-part.js';

/** A part of a cache that no build uses yet. */
export interface PartDraft {
  readonly part: CachePart;
  readonly path: string;
  /** In bytes. */
  size: number;
}

/**
 * Removes entries from drafts, those that were not used for longest first, until they have at most so many bytes.
 *
 * @param drafts their sizes become smaller; that of a part which is one entry becomes 0
 * @param usedAt when the build began to use a part that is one entry, in milliseconds
 * @returns removed bytes by part
 * @throws the reason of the signal
 */
export async function prune(
  drafts: readonly PartDraft[],
  maxBytes: number,
  usedAt: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<CachePart, number>> {
  const removed = new Map<CachePart, number>();
  let excess = drafts.reduce((sum, { size }) => sum + size, 0) - maxBytes;
  if (excess <= 0) return removed;
  const found = await Promise.all(drafts.map((draft) => entriesOf(draft, usedAt)));
  for (const { draft, entry } of found.flat().toSorted((a, b) => a.entry.usedAt - b.entry.usedAt)) {
    if (excess <= 0) break;
    if (entry.size === 0) continue;
    signal.throwIfAborted();
    // Entries are many: a program for each takes longer.
    await rm(entry.path, { recursive: true, force: true }).catch(() => removeFolder(entry.path));
    excess -= entry.size;
    draft.size -= entry.size;
    removed.set(draft.part, (removed.get(draft.part) ?? 0) + entry.size);
  }
  return removed;
}

async function entriesOf(
  draft: PartDraft,
  usedAt: number,
): Promise<{ readonly draft: PartDraft; readonly entry: CacheEntry }[]> {
  const { entries } = partRules[draft.part];
  const found =
    entries === null
      ? [{ path: draft.path, size: draft.size, usedAt }]
      : await listEntries(draft.path, entries);
  return found.map((entry) => ({ draft, entry }));
}

/** What is removed from a part of a cache as a unit. */
interface CacheEntry {
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
async function listEntries(folder: string, patterns: readonly string[]): Promise<CacheEntry[]> {
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
