import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import {
  type ByteRange,
  type ObjectDigest,
  ObjectStorage,
  type ObjectSummary,
  type StorageSpace,
  type StoredObject,
} from './object-storage.js';
import { toStorageError } from './storage-errors.js';

/** Milliseconds in which one cause is logged once. */
const LOGGED_EVERY = 1000;

/**
 * Another storage, whose failures become errors that callers understand: 507 when it is full, 503 when it is read-only or
 * away. Their causes are logged. Reads of the free space that are not finished are shared: a disk that hangs must not
 * occupy a thread with each request.
 */
export class WatchedObjectStorage extends ObjectStorage {
  private readonly logger = new Logger('Storage');
  /** When each cause was logged last. */
  private readonly logged = new Map<string, number>();
  private pendingSpace: Promise<StorageSpace> | null = null;

  constructor(private readonly storage: ObjectStorage) {
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

  override stat(key: string): Promise<{ sizeInBytes: number }> {
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

  override space(): Promise<StorageSpace> {
    this.pendingSpace ??= this.storage.space().finally(() => (this.pendingSpace = null));
    return this.pendingSpace.catch(this.fail);
  }

  /** Fails with the cause, which the start prints. */
  override checkWritable(): Promise<void> {
    return this.storage.checkWritable();
  }

  private readonly fail = (cause: unknown): never => {
    const error = toStorageError(cause);
    if (error === null) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? '';
    const now = performance.now();
    if (now - (this.logged.get(reason) ?? -Infinity) >= LOGGED_EVERY) {
      this.logged.set(reason, now);
      this.logger.error({ err: cause, event: error.code }, error.message);
    }
    throw error;
  };
}
