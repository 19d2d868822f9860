import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rmdir, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import {
  DiskJoinedObjects,
  fileStateOf,
  joinedStateOf,
  readSegments,
  type Segment,
  sizeOf,
} from './disk-joined-objects.js';
import { entriesOf, FileHash, ignore, IncomingFolder, syncFolder } from './disk-files.js';
import {
  assertObjectKey,
  assertObjectKeyPrefix,
  assertWithin,
  type ByteRange,
  MIN_JOINED_BYTES,
  type ObjectDigest,
  type ObjectState,
  ObjectStorage,
  type ObjectSummary,
  readInOrder,
  type StorageSpace,
  type StoredObject,
} from './object-storage.js';
import { ObjectNotFoundError } from './storage-errors.js';

/**
 * Keeps objects as files below one folder of one file system, readable by the owner alone:
 *
 * - `objects/<key>`: the content, or `objects/<key>@/`: what it was joined of
 * - `incoming/<uuid>`: what is being written
 *
 * Several processes may share the folder. Folders are created when first needed.
 */
export class DiskObjectStorage extends ObjectStorage {
  private readonly root: string;
  private readonly objects: string;
  private readonly incoming: IncomingFolder;
  private readonly joined: DiskJoinedObjects;

  /** @param root the folder; it is created when it does not exist */
  constructor(root: string) {
    super();
    this.root = resolve(root);
    this.objects = join(this.root, 'objects');
    this.incoming = new IncomingFolder(join(this.root, 'incoming'));
    this.joined = new DiskJoinedObjects(this.incoming);
  }

  override async put(key: string, body: Readable): Promise<{ sizeInBytes: number }> {
    const target = this.pathOf(key);
    const { path, sizeInBytes } = await this.incoming.write(body);
    await this.incoming.publish(path, target);
    await this.joined.delete(target);
    return { sizeInBytes };
  }

  override async join(key: string, sources: readonly string[]): Promise<void> {
    const target = this.pathOf(key);
    const segments: Segment[] = [];
    for (const source of sources) segments.push({ path: this.pathOf(source), ...(await this.stat(source)) });
    const canLink =
      segments.length > 1 &&
      segments.slice(0, -1).every(({ sizeInBytes }) => sizeInBytes >= MIN_JOINED_BYTES);
    if (canLink && (await this.joined.create(target, segments))) return;
    await this.put(key, readInOrder(this, sources));
  }

  override async get(key: string): Promise<StoredObject> {
    const read = (file: FileHandle, state: ObjectState): StoredObject => ({
      body: file.createReadStream(),
      ...state,
    });
    return this.open(key, read, async (segments) => ({
      body: readSegments(segments),
      ...(await joinedStateOf(segments)),
    }));
  }

  override async getRange(key: string, range: ByteRange): Promise<Readable> {
    const read = (file: FileHandle, { sizeInBytes }: ObjectState): Readable => {
      assertWithin(range, sizeInBytes);
      return file.createReadStream({ start: range.start, end: range.start + range.length - 1 });
    };
    return this.open(key, read, (segments) => {
      assertWithin(range, sizeOf(segments));
      return readSegments(segments, range);
    });
  }

  override async digest(key: string): Promise<ObjectDigest> {
    const path = this.pathOf(key);
    const hash = new FileHash();
    const found = await openFile(path);
    if (found !== null) {
      await hash.add(found.file);
      return hash.digest();
    }
    const segments = await this.joined.find(path);
    if (segments === null) throw await this.notFound(key);
    for (const segment of segments) await hash.add(await open(segment.path));
    return hash.digest();
  }

  override async stat(key: string): Promise<ObjectState> {
    const path = this.pathOf(key);
    const stats = await stat(path, { bigint: true }).catch(ignore('ENOENT', 'ENOTDIR'));
    if (stats?.isFile()) return fileStateOf(stats);
    const segments = await this.joined.find(path);
    if (segments === null) throw await this.notFound(key);
    return joinedStateOf(segments);
  }

  override async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await unlink(path).catch(ignore('ENOENT', 'ENOTDIR', 'EISDIR'));
    await this.joined.delete(path);
    // Empty folders do no harm, so this may fail.
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

  override async space(): Promise<StorageSpace> {
    const { bavail, bsize, blocks, files, ffree } = await statfs(this.root);
    const hasLimit = files > 0;
    return {
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      freeInodes: hasLimit ? ffree : null,
      totalInodes: hasLimit ? files : null,
    };
  }

  override async checkWritable(): Promise<void> {
    const key = `.probe/${randomUUID()}`;
    await this.put(key, Readable.from([Buffer.from('probe')]));
    await this.delete(key);
  }

  /** Opens an object for `read`, which takes over to close the file unless it fails, or for `readJoined`. */
  private async open<R>(
    key: string,
    read: (file: FileHandle, state: ObjectState) => R,
    readJoined: (segments: readonly Segment[]) => R | Promise<R>,
  ): Promise<R> {
    const path = this.pathOf(key);
    const found = await openFile(path);
    if (found !== null) {
      try {
        return read(found.file, found.state);
      } catch (error) {
        await found.file.close();
        throw error;
      }
    }
    const segments = await this.joined.find(path);
    if (segments === null) throw await this.notFound(key);
    return readJoined(segments);
  }

  /** The error for an object that is missing, or for the whole folder, which is missing when its disk is not mounted. */
  private async notFound(key: string): Promise<Error> {
    const error = this.incoming.wasCreated ? await stat(this.root).catch((cause: Error) => cause) : null;
    return error instanceof Error ? error : new ObjectNotFoundError(key);
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.objects, key);
  }

  /** @param folder the key of the folder, empty or with a `/` at its end */
  private async *listFolder(folder: string, prefix: string): AsyncGenerator<ObjectSummary> {
    for await (const entry of entriesOf(join(this.objects, folder))) {
      const joined = entry.isDirectory() ? this.joined.nameOf(entry.name) : null;
      const key = folder + (joined ?? entry.name);
      if (!key.startsWith(prefix)) {
        continue;
      }
      if (entry.isDirectory() && joined === null) {
        yield* this.listFolder(`${key}/`, prefix);
      } else {
        // The object may be deleted at this moment.
        const stats = await stat(join(this.objects, folder, entry.name)).catch(ignore('ENOENT'));
        const size = joined === null ? stats?.size : sizeOf((await this.joined.find(this.pathOf(key))) ?? []);
        if (stats) yield { key, sizeInBytes: size ?? 0, modifiedAt: stats.mtime };
      }
    }
  }
}

/** Opens a file; `null` when there is none. A folder is the beginning of other keys. */
async function openFile(path: string): Promise<{ file: FileHandle; state: ObjectState } | null> {
  const file = await open(path).catch(ignore('ENOENT', 'ENOTDIR'));
  if (file === undefined) return null;
  const stats = await file.stat({ bigint: true });
  if (stats.isFile()) return { file, state: fileStateOf(stats) };
  await file.close();
  return null;
}

async function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
