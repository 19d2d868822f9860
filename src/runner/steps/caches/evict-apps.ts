import { randomUUID } from 'node:crypto';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { cacheParts } from './cache-parts.js';
import { PartStore, VERSION } from './part-store.js';

/** Drafts and removals that a runner has not finished are removed after this time, in milliseconds. */
const ABANDONED_MS = 6 * 60 * 60_000;

/**
 * Removes the caches of apps that were not used for longest until the others have at most `maxBytes`.
 *
 * @param kept is never removed
 */
export async function evictApps(cacheDir: string, kept: string, maxBytes: number): Promise<void> {
  const names = await readdir(cacheDir);
  await removeAbandoned(cacheDir, names);
  const apps = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => describeApp(join(cacheDir, name))),
  );
  let total = apps.reduce((sum, { size }) => sum + size, 0);
  for (const { folder, size } of apps.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) return;
    if (basename(folder) === basename(kept)) continue;
    // Out of the way at once; removing takes a while.
    const trash = join(cacheDir, `.old-${randomUUID()}`);
    await rename(folder, trash).catch(() => undefined);
    // What cannot be removed must not keep the other apps from their bounds.
    await removeFolder(trash).catch(() => undefined);
    total -= size;
  }
}

async function describeApp(folder: string): Promise<{ folder: string; size: number; usedAt: number }> {
  await removeOldLayout(folder);
  const sizes = await Promise.all(cacheParts.map((part) => new PartStore(join(folder, part)).size()));
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: 0 }));
  return { folder, size: sizes.reduce((sum, size) => sum + size, 0), usedAt: mtimeMs };
}

/** Removes versions of whole apps, from before caches had parts: they are read no more. */
async function removeOldLayout(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => VERSION.test(name));
  if (old.length === 0) return;
  const { atime, mtime } = await stat(folder);
  await Promise.all(old.map((name) => removeFolder(join(folder, name)).catch(() => undefined)));
  // Removing is no use.
  await utimes(folder, atime, mtime).catch(() => undefined);
}

async function removeAbandoned(cacheDir: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((candidate) => /^\.(new|old)-/.test(candidate))) {
    const path = join(cacheDir, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await removeFolder(path).catch(() => undefined);
  }
}
