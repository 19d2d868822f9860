import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { entriesOf, ignore, IncomingFolder, syncFolder } from './disk-files.js';
import {
  assertObjectKey,
  assertObjectKeyPrefix,
  assertWithin,
  type ByteRange,
  ObjectStorage,
  type ObjectSummary,
  type StoredObject,
} from './object-storage.js';
import { ObjectNotFoundError } from './storage-errors.js';

/**
 * Keeps objects as files below one folder of one file system, readable by the owner alone:
 *
 * - `objects/<key>`: the content
 * - `incoming/<uuid>`: what is being written
 *
 * Several processes may share the folder. Folders are created when first needed.
 */
export class DiskObjectStorage extends ObjectStorage {
  private readonly objects: string;
  private readonly incoming: IncomingFolder;

  /** @param root the folder; it is created when it does not exist */
  constructor(root: string) {
    super();
    const folder = resolve(root);
    this.objects = join(folder, 'objects');
    this.incoming = new IncomingFolder(join(folder, 'incoming'));
  }

  override async put(key: string, body: Readable): Promise<{ sizeInBytes: number }> {
    const target = this.pathOf(key);
    const { path, sizeInBytes } = await this.incoming.write(body);
    await this.incoming.publish(path, target);
    return { sizeInBytes };
  }

  override async get(key: string): Promise<StoredObject> {
    return this.open(key, (file, sizeInBytes) => ({ body: file.createReadStream(), sizeInBytes }));
  }

  override async getRange(key: string, range: ByteRange): Promise<Readable> {
    return this.open(key, (file, sizeInBytes) => {
      assertWithin(range, sizeInBytes);
      return file.createReadStream({ start: range.start, end: range.start + range.length - 1 });
    });
  }

  override async stat(key: string): Promise<{ sizeInBytes: number }> {
    const stats = await stat(this.pathOf(key)).catch(ignore('ENOENT', 'ENOTDIR'));
    if (!stats?.isFile()) throw new ObjectNotFoundError(key);
    return { sizeInBytes: stats.size };
  }

  override async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await unlink(path).catch(ignore('ENOENT', 'ENOTDIR', 'EISDIR'));
    // Removing empty folders is a courtesy; whatever prevents it does not matter.
    let folder = dirname(path);
    while (folder !== this.objects && (await succeeds(rmdir(folder)))) {
      folder = dirname(folder);
    }
    await syncFolder(folder);
  }

  override async *list(prefix: string): AsyncGenerator<ObjectSummary> {
    assertObjectKeyPrefix(prefix);
    // The last segment of the prefix may be the beginning of many names; the ones before it name a folder.
    yield* this.listFolder(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
  }

  override async removeAbandoned(olderThan: Date): Promise<number> {
    return this.incoming.removeOlderThan(olderThan);
  }

  override async countAbandoned(olderThan: Date): Promise<number> {
    return this.incoming.countOlderThan(olderThan);
  }

  override async checkWritable(): Promise<void> {
    const key = `.probe/${randomUUID()}`;
    await this.put(key, Readable.from([Buffer.from('probe')]));
    await this.delete(key);
  }

  /** Opens a file for `read`, which takes over to close it unless it fails. */
  private async open<R>(key: string, read: (file: FileHandle, sizeInBytes: number) => R): Promise<R> {
    const file = await open(this.pathOf(key)).catch(ignore('ENOENT', 'ENOTDIR'));
    if (!file) {
      throw new ObjectNotFoundError(key);
    }
    try {
      const stats = await file.stat();
      // A folder is the beginning of other keys.
      if (!stats.isFile()) {
        throw new ObjectNotFoundError(key);
      }
      return read(file, stats.size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.objects, key);
  }

  /** @param folder the key of the folder, empty or with a `/` at its end */
  private async *listFolder(folder: string, prefix: string): AsyncGenerator<ObjectSummary> {
    for await (const entry of entriesOf(join(this.objects, folder))) {
      const key = folder + entry.name;
      if (!key.startsWith(prefix)) {
        continue;
      }
      if (entry.isDirectory()) {
        yield* this.listFolder(`${key}/`, prefix);
      } else {
        // Deleted meanwhile?
        const stats = await stat(join(this.objects, key)).catch(ignore('ENOENT'));
        if (stats) {
          yield { key, sizeInBytes: stats.size, modifiedAt: stats.mtime };
        }
      }
    }
  }
}

async function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
