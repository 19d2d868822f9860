import type { Readable } from 'node:stream';
import {
  type ByteRange,
  type ObjectDigest,
  type ObjectState,
  ObjectStorage,
  type ObjectSummary,
  type StorageSpace,
  type StoredObject,
} from './object-storage.js';
import { toStorageFailure } from './storage-errors.js';
import type { StorageFailures } from './storage-failures.js';

/**
 * A storage on disk, whose errors become failures that are counted and logged. Reads of the free space that are not
 * finished are shared: a disk that hangs must not occupy a thread with each request.
 */
export class WatchedObjectStorage extends ObjectStorage {
  private pendingSpace: Promise<StorageSpace | null> | null = null;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly failures: StorageFailures,
  ) {
    super();
  }

  override put(key: string, body: Readable): Promise<{ sizeInBytes: number }> {
    return this.storage.put(key, body).catch(this.fail);
  }

  override join(key: string, sources: readonly string[]): Promise<void> {
    return this.storage.join(key, sources).catch(this.fail);
  }

  override get(key: string): Promise<StoredObject> {
    return this.storage.get(key).catch(this.fail);
  }

  override getRange(key: string, range: ByteRange): Promise<Readable> {
    return this.storage.getRange(key, range).catch(this.fail);
  }

  override digest(key: string): Promise<ObjectDigest> {
    return this.storage.digest(key).catch(this.fail);
  }

  override stat(key: string): Promise<ObjectState> {
    return this.storage.stat(key).catch(this.fail);
  }

  override delete(key: string): Promise<void> {
    return this.storage.delete(key).catch(this.fail);
  }

  override list(prefix: string): AsyncIterable<ObjectSummary> {
    return this.storage.list(prefix);
  }

  override removeAbandoned(olderThan: Date): Promise<number> {
    return this.storage.removeAbandoned(olderThan);
  }

  override countAbandoned(olderThan: Date): Promise<number> {
    return this.storage.countAbandoned(olderThan);
  }

  override space(): Promise<StorageSpace | null> {
    this.pendingSpace ??= this.storage.space().finally(() => (this.pendingSpace = null));
    return this.pendingSpace.catch(this.fail);
  }

  /** Fails with the cause, which the start prints. */
  override checkWritable(): Promise<void> {
    return this.storage.checkWritable();
  }

  private readonly fail = (cause: unknown): never => {
    const failure = toStorageFailure(cause);
    throw failure === null ? cause : this.failures.count(failure);
  };
}
