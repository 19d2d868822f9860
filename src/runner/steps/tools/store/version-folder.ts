import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../folders/remove-folder.js';
import { seal } from './unpack-package.js';

/** Versions that no build has used for so long are removed, in milliseconds. No build takes as long. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;
/** What a runner was making when it was killed is removed after this time, in milliseconds. */
const ABANDONED_MS = 6 * 60 * 60_000;

/**
 * Programs of exact versions: `<dir>/<name>/<version>/bin`. Each is written once, by whichever runner on this folder needs it
 * first, and then only read.
 */
export class VersionFolder {
  /** @param dir `RUNNER_DIR/tools` */
  constructor(private readonly dir: string) {}

  /**
   * Finds a version, and notes that it is in use.
   *
   * @returns its folder; `null`: it is not there
   */
  async find(name: string, version: string): Promise<string | null> {
    const folder = join(this.dir, name, version);
    return utimes(folder, new Date(), new Date()).then(
      () => folder,
      () => null,
    );
  }

  /** The versions that are there. */
  async list(name: string): Promise<string[]> {
    const versions = await readdir(join(this.dir, name)).catch(() => []);
    return versions.filter((version) => !version.startsWith('.'));
  }

  /**
   * Puts a version in place at once, and removes those that no build has used for long.
   *
   * @param fill writes everything into an empty folder
   * @returns its folder
   * @throws PackageError when it has more than files and folders
   */
  async add(name: string, version: string, fill: (draft: string) => Promise<void>): Promise<string> {
    const folder = join(this.dir, name, version);
    const draft = join(this.dir, name, `.new-${randomUUID()}`);
    await mkdir(draft, { recursive: true });
    try {
      await fill(draft);
      await seal(draft);
      await rename(draft, folder).catch(async (error: unknown) => {
        // Another build has put it in place.
        await access(folder).catch(() => Promise.reject(error));
      });
    } finally {
      await removeFolder(draft).catch(() => undefined);
    }
    await this.prune();
    return folder;
  }

  private async prune(): Promise<void> {
    for (const name of await readdir(this.dir)) {
      for (const version of await readdir(join(this.dir, name)).catch(() => [])) {
        const folder = join(this.dir, name, version);
        const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs < (version.startsWith('.') ? ABANDONED_MS : UNUSED_MS)) continue;
        // Out of the way at once: no build may find half of it.
        const trash = join(this.dir, name, `.old-${randomUUID()}`);
        await rename(folder, trash).catch(() => undefined);
        await removeFolder(trash).catch(() => undefined);
      }
    }
  }
}
