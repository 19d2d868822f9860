import { Injectable } from '@nestjs/common';
import { InsufficientStorageError } from '../common/errors/app-error.js';
import { Config } from '../config/config.js';
import { ObjectStorage } from './object-storage.js';

const BYTES_PER_MB = 1_000_000;
/** Files that uploads which have begun may still need. */
const RESERVED_INODES = 1000;

/**
 * Refuses to begin what would use the last room in storage, so that what has begun can be completed, and the database has
 * room if it is on the same disk.
 */
@Injectable()
export class StorageReserve {
  constructor(
    private readonly config: Config,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Checks that the reserve (`STORAGE_RESERVE_MB`) remains free.
   *
   * @param sizeInBytes announced size of what begins
   * @throws InsufficientStorageError otherwise
   * @throws StorageFailure when the storage is away
   */
  async require(sizeInBytes = 0): Promise<void> {
    const reserve = this.config.storage.reserveMegabytes * BYTES_PER_MB;
    if (reserve === 0) return;
    const space = await this.storage.space();
    if (space === null) return;
    const { freeBytes, freeInodes } = space;
    const isFull = freeBytes - sizeInBytes < reserve || (freeInodes ?? Infinity) < RESERVED_INODES;
    if (isFull) throw new InsufficientStorageError();
  }
}
