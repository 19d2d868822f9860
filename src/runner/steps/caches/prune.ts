import { rm } from 'node:fs/promises';
import { removeFolder } from '../../folders/remove-folder.js';
import { type CachePart, partRules } from './cache-parts.js';
import { type CacheEntry, listEntries } from './list-entries.js';

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
