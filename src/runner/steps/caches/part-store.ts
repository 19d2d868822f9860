import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { copyTree } from './copy-tree.js';
import { foldersOf, isFolder } from './move-part.js';

/** Folder of a version with what is kept. */
const CONTENT = 'content';
/** File of a version with its key, if it has one. */
const KEY = 'key';
/** File of a version with its size in bytes. */
export const SIZE = 'size';
/** Versions in the order of their times. */
export const VERSION = /^\d{13}-[0-9a-f-]{36}$/;

/**
 * One part of the cache of an app: folders that are written once and then only copied. Other runners on the same folder
 * are harmless.
 */
export class PartStore {
  /** @param folder of the versions */
  constructor(private readonly folder: string) {}

  /**
   * Copies the newest version; with another key, or none, only its downloads.
   *
   * @param target empty, or does not exist
   * @param wanted the key of the build; `null`: it has none
   * @param downloads as in `PartRules`
   * @returns the key of what was copied, `null` for one without; `undefined`: nothing was copied
   * @throws the reason of the signal
   */
  async restore(
    target: string,
    wanted: string | null,
    downloads: readonly string[],
    signal: AbortSignal,
  ): Promise<string | null | undefined> {
    const version = await this.newest();
    if (version === null) return undefined;
    const key = await readFile(join(version, KEY), 'utf8').catch(() => null);
    const content = join(version, CONTENT);
    const paths = wanted !== null && key === wanted ? [''] : await foldersOf(content, downloads);
    return (await copy(content, target, paths, signal)) ? key : undefined;
  }

  /** Bytes of the newest version. */
  async size(): Promise<number> {
    const version = await this.newest();
    return version === null ? 0 : Number(await readFile(join(version, SIZE), 'utf8').catch(() => '0'));
  }

  /**
   * Puts a folder in place as the newest version.
   *
   * @param draft on the same file system
   */
  async put(draft: string, size: number, key: string | null): Promise<void> {
    const version = `${draft}-version`;
    await mkdir(version, { mode: 0o700 });
    await rename(draft, join(version, CONTENT));
    await writeFile(join(version, SIZE), String(size));
    if (key !== null) await writeFile(join(version, KEY), key);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `${Date.now()}-${randomUUID()}`;
    await rename(version, join(this.folder, name));
    await this.removeVersions(name);
  }

  /** @param before only older ones: two builds that end at once must not remove each other's version */
  async removeVersions(before?: string): Promise<void> {
    const others = (await this.versions()).filter((name) => before === undefined || name < before);
    await Promise.all(others.map((name) => removeFolder(join(this.folder, name)).catch(() => undefined)));
  }

  private async newest(): Promise<string | null> {
    const name = (await this.versions()).at(-1);
    return name === undefined ? null : join(this.folder, name);
  }

  private async versions(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => VERSION.test(name)).toSorted();
  }
}

/** @returns false also when the version has been removed in the meantime: then nothing is left of the copy */
async function copy(
  from: string,
  target: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (paths.length === 0 || !(await isFolder(from))) return false;
  try {
    for (const path of paths) {
      await mkdir(join(target, path), { recursive: true });
      await copyTree(`${join(from, path)}/.`, join(target, path), signal);
    }
    return true;
  } catch {
    signal.throwIfAborted();
    await empty(target);
    return false;
  }
}

async function empty(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => removeFolder(join(folder, name))));
}
