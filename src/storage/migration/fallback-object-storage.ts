import type { Readable } from 'node:stream';
import {
  type ByteRange,
  type ObjectDigest,
  type ObjectState,
  ObjectStorage,
  type ObjectSummary,
  type PresignedObject,
  type PresignRequest,
  readInOrder,
  type StorageSpace,
  type StoredObject,
} from '../object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';

/**
 * Two storages while files move from one to the other: everything is stored in the first, and what the first does not
 * have is read from the second. Other processes may use them the other way round during the move.
 */
export class FallbackObjectStorage extends ObjectStorage {
  constructor(
    private readonly first: ObjectStorage,
    private readonly second: ObjectStorage,
  ) {
    super();
  }

  override put(key: string, body: Readable): Promise<{ sizeInBytes: number }> {
    return this.first.put(key, body);
  }

  override async join(key: string, sources: readonly string[]): Promise<void> {
    try {
      await this.first.join(key, sources);
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      await this.first.put(key, readInOrder(this, sources));
    }
  }

  override get(key: string): Promise<StoredObject> {
    return this.read((storage) => storage.get(key));
  }

  override getRange(key: string, range: ByteRange): Promise<Readable> {
    return this.read((storage) => storage.getRange(key, range));
  }

  override digest(key: string): Promise<ObjectDigest> {
    return this.read((storage) => storage.digest(key));
  }

  override stat(key: string): Promise<ObjectState> {
    return this.read((storage) => storage.stat(key));
  }

  /** What only the second storage has is read through this process. */
  override presign(key: string, request: PresignRequest): Promise<PresignedObject | null> {
    return this.first.presign(key, request);
  }

  override async delete(key: string): Promise<void> {
    // From the second first: what is left of a deletion that fails must not come back from there.
    await this.second.delete(key);
    await this.first.delete(key);
  }

  /** Remembers the keys of the first storage, about 100 bytes each. */
  override async *list(prefix: string): AsyncGenerator<ObjectSummary> {
    const keys = new Set<string>();
    for await (const object of this.first.list(prefix)) {
      keys.add(object.key);
      yield object;
    }
    for await (const object of this.second.list(prefix)) if (!keys.has(object.key)) yield object;
  }

  override async removeAbandoned(olderThan: Date): Promise<number> {
    return (await this.first.removeAbandoned(olderThan)) + (await this.second.removeAbandoned(olderThan));
  }

  override async countAbandoned(olderThan: Date): Promise<number> {
    return (await this.first.countAbandoned(olderThan)) + (await this.second.countAbandoned(olderThan));
  }

  override space(): Promise<StorageSpace | null> {
    return this.first.space();
  }

  override async checkWritable(): Promise<void> {
    await this.first.checkWritable();
    // Only read: a full disk is a reason to move.
    for await (const _object of this.second.list('')) break;
  }

  private async read<R>(from: (storage: ObjectStorage) => Promise<R>): Promise<R> {
    try {
      return await from(this.first);
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      return from(this.second);
    }
  }
}
