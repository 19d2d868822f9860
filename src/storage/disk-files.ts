import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectDigest } from './object-storage.js';

const FOLDER = { recursive: true, mode: 0o700 } as const;
const FILE = { mode: 0o600, flush: true } as const;
const PUBLISH_ATTEMPTS = 10;

/**
 * The folder in which everything is written before one rename puts it in its place, so that no other folder ever
 * holds anything half-written. It must be on the same file system as those places.
 */
export class IncomingFolder {
  private created = false;

  constructor(private readonly folder: string) {}

  /** Whether this process has created the folder, or found it. */
  get wasCreated(): boolean {
    return this.created;
  }

  /**
   * Streams the body into a new file and flushes it to the device. On failure nothing remains, the body is
   * destroyed, and the promise is rejected with the cause.
   *
   * @returns the path of the file, to be published or removed, and its length in bytes
   */
  async write(body: Readable): Promise<{ path: string; sizeInBytes: number }> {
    // An error of the body before the pipeline listens would end the process; the pipeline still learns of it.
    body.on('error', () => undefined);
    if (body.readableEnded) {
      throw new TypeError('The body has been read already.');
    }
    const path = await this.newPath().catch((error: unknown) => {
      body.destroy();
      throw error;
    });
    const file = createWriteStream(path, FILE);
    try {
      await pipeline(body, file);
    } catch (error) {
      // Not before the file is closed: until then it may be about to be created.
      await new Promise<void>((resolve) => (file.closed ? resolve() : file.once('close', resolve)));
      await remove(path);
      throw error;
    }
    return { path, sizeInBytes: file.bytesWritten };
  }

  /** Creates a folder, to be filled and published like a file. @returns its path */
  async newFolder(): Promise<string> {
    const path = await this.newPath();
    await mkdir(path, FOLDER);
    return path;
  }

  /** Removes a folder, wherever it is on the same file system: atomically. Does nothing when there is none. */
  async discard(folder: string): Promise<void> {
    const path = join(this.folder, randomUUID());
    const isGone = await rename(folder, path).then(() => true, ignore('ENOENT', 'ENOTDIR', 'ENAMETOOLONG'));
    if (isGone) await remove(path);
  }

  /**
   * Moves a file or folder to its place, durably, and replaces a file that is there. Creates the folders above it. When it
   * cannot be moved, it is removed, and the promise is rejected with the cause.
   */
  async publish(path: string, target: string): Promise<void> {
    try {
      const created = await moveIntoNewFolders(path, target);
      // Each new folder is an entry in the one above it, and lost with it unless that is flushed as well.
      let folder = dirname(target);
      await syncFolder(folder);
      while (created !== undefined && folder.length >= created.length) {
        folder = dirname(folder);
        await syncFolder(folder);
      }
    } catch (error) {
      await remove(path);
      throw error;
    }
  }

  /** Deletes the files last written before the given time. Returns how many that were. */
  async removeOlderThan(time: Date): Promise<number> {
    let removed = 0;
    for await (const path of this.olderThan(time)) {
      await rm(path, { recursive: true, force: true });
      removed++;
    }
    return removed;
  }

  /** How many files were last written before the given time. */
  async countOlderThan(time: Date): Promise<number> {
    let count = 0;
    for await (const _path of this.olderThan(time)) count++;
    return count;
  }

  private async *olderThan(time: Date): AsyncGenerator<string> {
    for await (const { name } of entriesOf(this.folder)) {
      const path = join(this.folder, name);
      const stats = await stat(path).catch(ignore('ENOENT'));
      if (stats && stats.mtime < time) yield path;
    }
  }

  private async newPath(): Promise<string> {
    // Later, a missing folder above it means that a disk is not mounted: nothing must be written to the one below.
    if (this.created) await mkdir(this.folder, FOLDER.mode).catch(ignore('EEXIST'));
    else await mkdir(this.folder, FOLDER);
    this.created = true;
    return join(this.folder, randomUUID());
  }
}

/** Returns the first folder that had to be created, if any. */
async function moveIntoNewFolders(path: string, target: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const created = await mkdir(dirname(target), FOLDER);
      await rename(path, target);
      return created;
    } catch (error) {
      // A concurrent delete may have removed the new folders, which were empty, before the file was there.
      if (!hasCode(error, 'ENOENT') || attempt === PUBLISH_ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** In bytes: few reads for each part of an upload, and little memory. */
const HASHED_AT_ONCE = 1024 * 1024;

/** Length and SHA-256 of files one after the other, read through one buffer, which costs no garbage. */
export class FileHash {
  private readonly hash = createHash('sha256');
  private readonly buffer = Buffer.allocUnsafeSlow(HASHED_AT_ONCE);
  private sizeInBytes = 0;

  /** Reads a file from its beginning to its end, and closes it. */
  async add(file: FileHandle): Promise<void> {
    try {
      for (let position = 0; ;) {
        const { bytesRead } = await file.read(this.buffer, 0, this.buffer.length, position);
        if (bytesRead === 0) return;
        this.hash.update(this.buffer.subarray(0, bytesRead));
        this.sizeInBytes += bytesRead;
        position += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  digest(): ObjectDigest {
    return { sha256: this.hash.digest('hex'), sizeInBytes: this.sizeInBytes };
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can neither open a folder nor needs to.
  if (process.platform === 'win32') {
    return;
  }
  const handle = await open(folder).catch(ignore('ENOENT'));
  await handle?.sync().finally(() => handle.close());
}

/** Lists a folder; one that does not exist is empty. */
export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const entries = await opendir(folder).catch(ignore('ENOENT', 'ENOTDIR'));
  if (entries) {
    yield* entries;
  }
}

/** Whether a file system call failed with one of the given codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** A handler for `catch` that turns failures with one of the given codes into `undefined`. */
export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) {
      throw error;
    }
  };
}

/** Deletes a file or folder in `incoming`. Failing is harmless: `removeAbandoned` finds it again. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
