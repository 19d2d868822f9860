import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { cleanTree } from './clean-tree.js';
import { copyTree } from './copy-tree.js';
import { evictApps, SIZE } from './evict-apps.js';

const MIB = 1024 ** 2;
/** The folders of a version. */
const PACKAGES = 'packages';
const MODULES = 'node_modules';
/** File of a version with the key of its `node_modules`. */
const KEY = 'modules-key';
/** Versions in the order of their times. */
const VERSION = /^\d{13}-[0-9a-f-]{36}$/;

/** What a build leaves for the next ones. */
export interface CacheContent {
  /** What package managers have downloaded. */
  readonly packages: string;
  /** Installed packages, and what they depend on; `null`: they are not kept. */
  readonly modules: { readonly path: string; readonly key: string } | null;
}

/**
 * The cache of one app: folders that are written once and then only copied. Each build gets a copy of the newest version
 * and can do with it what it wants; `promote` puts a new version in place. Other runners on the same folder are harmless.
 */
export class AppCache {
  private readonly folder: string;

  /** @throws Error if the id is not a name for a folder */
  constructor(
    private readonly cacheDir: string,
    appId: string,
    private readonly maxMiB: number,
  ) {
    if (!/^[A-Za-z0-9-]{1,100}$/.test(appId)) throw new Error('The id of the app is not valid.');
    this.folder = join(cacheDir, appId);
  }

  /**
   * Copies the packages into the folder of a job.
   *
   * @param target an empty folder
   * @returns whether there were some
   */
  async restorePackages(target: string, signal: AbortSignal): Promise<boolean> {
    const version = await this.newest();
    if (version === null) return false;
    await utimes(this.folder, new Date(), new Date()).catch(() => undefined);
    return this.copy(join(version, PACKAGES), target, signal);
  }

  /**
   * Copies installed packages.
   *
   * @param target empty, or does not exist
   * @param key what they depend on
   * @returns whether there were some with this key
   */
  async restoreModules(target: string, key: string, signal: AbortSignal): Promise<boolean> {
    const version = await this.newest();
    if (version === null) return false;
    const found = await readFile(join(version, KEY), 'utf8').catch(() => null);
    return found === key && this.copy(join(version, MODULES), target, signal);
  }

  /**
   * Moves what a build has left into a new version, and removes older ones and apps that were not used for long. No
   * process of the build may run any more.
   *
   * @returns the size in bytes; `null`: it is too large, so that the app begins with an empty cache
   */
  async promote(content: CacheContent): Promise<number | null> {
    const draft = join(this.cacheDir, `.new-${randomUUID()}`);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      const size = await this.fill(draft, content);
      if (size === null) {
        await this.removeVersions();
        return null;
      }
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const name = `${Date.now()}-${randomUUID()}`;
      await rename(draft, join(this.folder, name));
      await this.removeVersions(name);
      await evictApps(this.cacheDir, this.folder, 10 * this.maxMiB * MIB);
      return size;
    } finally {
      await removeFolder(draft).catch(() => undefined);
    }
  }

  private async fill(draft: string, { packages, modules }: CacheContent): Promise<number | null> {
    await move(packages, join(draft, PACKAGES));
    let size = await cleanTree(join(draft, PACKAGES));
    if (modules !== null && size !== null) {
      await move(modules.path, join(draft, MODULES));
      await writeFile(join(draft, KEY), modules.key);
      const more = await cleanTree(join(draft, MODULES));
      size = more === null ? null : size + more;
    }
    if (size === null || size > this.maxMiB * MIB) return null;
    await writeFile(join(draft, SIZE), String(size));
    return size;
  }

  private async newest(): Promise<string | null> {
    const name = (await this.versions()).at(-1);
    return name === undefined ? null : join(this.folder, name);
  }

  private async versions(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => VERSION.test(name)).toSorted();
  }

  /** @param before only older ones: two builds that end at once must not remove each other's version */
  private async removeVersions(before?: string): Promise<void> {
    const others = (await this.versions()).filter((name) => before === undefined || name < before);
    await Promise.all(others.map((name) => removeFolder(join(this.folder, name)).catch(() => undefined)));
  }

  /** @returns false also when the version was removed meanwhile: then nothing is left of the copy */
  private async copy(from: string, target: string, signal: AbortSignal): Promise<boolean> {
    const isThere = await lstat(from).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) return false;
    try {
      await mkdir(target, { recursive: true });
      await copyTree(`${from}/.`, target, signal);
      return true;
    } catch {
      signal.throwIfAborted();
      await empty(target);
      return false;
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // Another file system.
    if (!['EXDEV', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyTree(from, to);
  }
}

async function empty(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => removeFolder(join(folder, name))));
}
