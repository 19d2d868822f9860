import { randomUUID } from 'node:crypto';
import { mkdir, utimes, readdir, rename, stat } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { type CachePart, cacheParts, partRules } from './cache-parts.js';
import { cleanTree } from './clean-tree.js';
import { movePart } from './move-part.js';
import { PartStore, VERSION } from './part-store.js';
import { type PartDraft, prune } from './prune.js';

/** Drafts and removals that a runner has not finished are removed after this time, in milliseconds. */
const ABANDONED_MS = 6 * 60 * 60_000;

/** The name of a cache, with its generation if it has one: `v` is no hexadecimal digit, as ids have. */
const NAME = /^(.+?)(?:-v(\d+))?$/;

const MIB = 1024 ** 2;
/** Of the cache of an app, native builds leave a quarter to web builds, which cannot prune what they have. */
const NATIVE_SHARE = 0.75;
const NATIVE_PARTS: readonly CachePart[] = ['gradle', 'pods', 'swift-packages'];

/** What a build leaves of one part. */
export interface LeftPart {
  readonly part: CachePart;
  /** `null`: nothing, so that the next build begins without this part. */
  readonly path: string | null;
  /** What it depends on; `null`: it is not known. */
  readonly key: string | null;
  /** Whether the cache has it already: then it is kept again only to prune it. */
  readonly isUnchanged: boolean;
}

/** How a cache was kept. */
export interface KeptCache {
  /** In bytes, of all parts. */
  readonly size: number;
  /** Bytes that were removed to make it fit, by part. */
  readonly pruned: ReadonlyMap<CachePart, number>;
  /** Parts that begin empty in the next build, because they have too many files or cannot be read. */
  readonly refused: readonly CachePart[];
}

interface Drafted {
  readonly drafts: PartDraft[];
  /** Parts of which there is nothing. */
  readonly gone: CachePart[];
  /** Parts that could not be kept. */
  readonly refused: CachePart[];
}

/**
 * The cache of one app in parts, each of which is kept separately. Builds get copies and can do with them what they
 * want; `keep` puts new versions in place.
 */
export class AppCache {
  private readonly folder: string;
  private readonly stores: Readonly<Record<CachePart, PartStore>>;

  /** @throws Error if the id is not a name for a folder */
  constructor(
    private readonly cacheDir: string,
    appId: string,
    private readonly maxMiB: number,
  ) {
    if (!/^[A-Za-z0-9-]{1,100}$/.test(appId)) throw new Error('The id of the app is not valid.');
    this.folder = join(cacheDir, appId);
    const stores = cacheParts.map((part) => [part, new PartStore(join(this.folder, part))] as const);
    this.stores = Object.fromEntries(stores) as Record<CachePart, PartStore>;
  }

  /** Removes what the caches of this name were before their app dropped them, which gave them another generation. */
  async removeDropped(): Promise<void> {
    const [, name = '', generation] = NAME.exec(basename(this.folder)) ?? [];
    if (generation === undefined) return;
    const names = await readdir(this.cacheDir).catch(() => []);
    for (const other of names) {
      const [, otherName, older = '0'] = NAME.exec(other) ?? [];
      if (otherName !== name || Number(older) >= Number(generation)) continue;
      // Its name keeps it from being used, too.
      await removeFolder(join(this.cacheDir, other)).catch(() => undefined);
    }
  }

  /** Copies a part into the folder of a job. As `restore` of `PartStore`. */
  async restore(
    part: CachePart,
    target: string,
    wanted: string | null,
    signal: AbortSignal,
  ): Promise<string | null | undefined> {
    await utimes(this.folder, new Date(), new Date()).catch(() => undefined);
    return this.stores[part].restore(target, wanted, partRules[part].downloads, signal);
  }

  /**
   * Moves what a build has left into new versions, pruned to what the app may have, and removes older ones and the
   * caches of apps that were not used for long. No process of the build may still be running.
   *
   * @param startedAt when the build began, in milliseconds
   * @throws the reason of the signal; then nothing is kept
   */
  async keep(parts: readonly LeftPart[], startedAt: number, signal: AbortSignal): Promise<KeptCache> {
    const root = join(this.cacheDir, `.new-${randomUUID()}`);
    await mkdir(root, { recursive: true, mode: 0o700 });
    try {
      const { drafts, gone, refused } = await this.draft(root, parts, signal);
      const pruned = await this.pruneToFit(drafts, [...gone, ...refused], startedAt, signal);
      signal.throwIfAborted();
      for (const { part, path, size } of drafts) {
        const { key = null } = parts.find((left) => left.part === part) ?? {};
        if (size > 0 || !pruned.has(part)) await this.stores[part].put(path, size, key);
        else gone.push(part);
      }
      await Promise.all([...gone, ...refused].map((part) => this.stores[part].removeVersions()));
      await evictApps(this.cacheDir, this.folder, 10 * this.maxBytes);
      return { size: await this.total([], []), pruned, refused };
    } finally {
      await removeFolder(root).catch(() => undefined);
    }
  }

  /** Moves the parts that have changed; all of them when the cache would be too large. */
  private async draft(root: string, parts: readonly LeftPart[], signal: AbortSignal): Promise<Drafted> {
    const drafts: PartDraft[] = [];
    const gone: CachePart[] = [];
    const refused: CachePart[] = [];
    for (const { part, path, isUnchanged } of parts.toSorted(changedFirst)) {
      if (isUnchanged && (await this.total(drafts, [...gone, ...refused])) <= this.maxBytes) continue;
      const draft = join(root, part);
      const { only, without } = partRules[part];
      if (path === null || !(await movePart(path, draft, only, signal))) {
        gone.push(part);
        continue;
      }
      const size = await cleanTree(draft, without, signal);
      if (size === null) refused.push(part);
      else drafts.push({ part, path: draft, size });
    }
    return { drafts, gone, refused };
  }

  private async pruneToFit(
    drafts: readonly PartDraft[],
    gone: readonly CachePart[],
    startedAt: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<CachePart, number>> {
    const native = drafts.filter(({ part }) => NATIVE_PARTS.includes(part));
    const first = await prune(native, NATIVE_SHARE * this.maxBytes, startedAt, signal);
    const others = (await this.total(drafts, gone)) - sum(drafts.map(({ size }) => size));
    const second = await prune(drafts, this.maxBytes - others, startedAt, signal);
    const removed = cacheParts.map(
      (part) => [part, sum([first.get(part) ?? 0, second.get(part) ?? 0])] as const,
    );
    return new Map(removed.filter(([, bytes]) => bytes > 0));
  }

  /** Bytes of all parts after the drafts have replaced theirs. */
  private async total(drafts: readonly PartDraft[], gone: readonly CachePart[]): Promise<number> {
    const stored = cacheParts.filter(
      (part) => !gone.includes(part) && !drafts.some((draft) => draft.part === part),
    );
    const sizes = await Promise.all(stored.map((part) => this.stores[part].size()));
    return sum([...sizes, ...drafts.map(({ size }) => size)]);
  }

  private get maxBytes(): number {
    return this.maxMiB * MIB;
  }
}

function changedFirst(a: LeftPart, b: LeftPart): number {
  return Number(a.isUnchanged) - Number(b.isUnchanged);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Removes the caches of apps that were not used for longest until the others have at most `maxBytes`.
 *
 * @param kept is never removed
 */
async function evictApps(cacheDir: string, kept: string, maxBytes: number): Promise<void> {
  const names = await readdir(cacheDir);
  await removeAbandoned(cacheDir, names);
  const apps = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => describeApp(join(cacheDir, name))),
  );
  let total = apps.reduce((sum, { size }) => sum + size, 0);
  for (const { folder, size } of apps.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) return;
    if (basename(folder) === basename(kept)) continue;
    // Out of the way immediately; removing takes a while.
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
