import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { ObjectStorage } from '../object-storage.js';
import { BlobCollectorQueries, type BlobSum } from './blob-collector.queries.js';
import { keyOf } from './blobs.service.js';

/** Blobs that one statement looks at. */
const PAGE = 1000;
/** Blobs that one transaction deletes, and objects that are removed between two statements. */
const BATCH = 100;
/** Objects that are removed at once. */
const REMOVED_AT_ONCE = 8;

/**
 * Deletes blobs that nothing uses: the rows first, then the objects. A row uses a blob by a
 * foreign key, so a new table of users needs no change here. See ADR 20.
 */
@Injectable()
export class BlobCollectorService {
  constructor(
    private readonly queries: BlobCollectorQueries,
    private readonly storage: ObjectStorage,
  ) {}

  /** Blobs that nothing uses now. */
  async find(): Promise<BlobSum> {
    return this.queries.count(await this.queries.unreferenced());
  }

  /**
   * Deletes the blobs that were unused for the given time, according to earlier calls.
   *
   * @param graceDays 0: those that nothing uses now
   * @returns what it has deleted
   */
  async collect(graceDays: number): Promise<BlobSum> {
    const unreferenced = await this.queries.unreferenced();
    for (let last: string | null = ''; last !== null;) {
      last = await this.queries.markPage(unreferenced, last, PAGE);
    }
    const total = { blobs: 0, sizeInBytes: 0 };
    await deleteInBatches(BATCH, async (limit) => {
      const { locked, blobs, sizeInBytes } = await this.queries.deleteBatch(unreferenced, graceDays, limit);
      total.blobs += blobs;
      total.sizeInBytes += sizeInBytes;
      // The other blobs are in use again, or another process deletes them.
      return blobs === 0 ? 0 : locked;
    });
    await deleteInBatches(BATCH, (limit) => this.removeObjects(limit));
    return total;
  }

  /** Several processes may remove the same objects at once, which does no harm. */
  private async removeObjects(limit: number): Promise<number> {
    const ids = await this.queries.deletedObjects(limit);
    const atOnce = pLimit(REMOVED_AT_ONCE);
    await Promise.all(ids.map((id) => atOnce(() => this.storage.delete(keyOf(id)))));
    await this.queries.forgetObjects(ids);
    return ids.length;
  }
}
