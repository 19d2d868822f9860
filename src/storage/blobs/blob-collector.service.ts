import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { transaction } from '../../database/transactions/transaction.js';
import { ObjectStorage } from '../object-storage.js';
import { keyOf } from './blobs.service.js';
import { sql } from '../../database/sql.js';

/** Blobs that one statement looks at. */
const PAGE = 1000;
/** Blobs that one transaction deletes, and objects that are removed between two statements. */
const BATCH = 100;
/** Objects that are removed at once. */
const REMOVED_AT_ONCE = 8;

/** Number and size of blobs, with their variants. */
export interface BlobSum {
  readonly blobs: number;
  readonly sizeInBytes: number;
}

/**
 * Deletes blobs that nothing uses: the rows first, then the objects. A row uses a blob by a
 * foreign key, so a new table of users needs no change here. See ADR 20.
 */
@Injectable()
export class BlobCollectorService {
  constructor(private readonly storage: ObjectStorage) {}

  /** Blobs that nothing uses now. */
  async find(): Promise<BlobSum> {
    const [row] = await sql<BlobSum>(
      `SELECT count(*)::int AS blobs,
              coalesce(sum(size_in_bytes + (SELECT coalesce(sum(variant.size_in_bytes), 0)
                FROM blob_variants AS variant WHERE variant.blob_id = blobs.id)), 0)::bigint AS "sizeInBytes"
         FROM blobs WHERE ${await this.unreferenced()}`,
    );
    return row ?? { blobs: 0, sizeInBytes: 0 };
  }

  /**
   * Deletes the blobs that were unused for the given time, according to earlier calls.
   *
   * @param graceDays 0: those that nothing uses now
   * @returns what it has deleted
   */
  async collect(graceDays: number): Promise<BlobSum> {
    const unreferenced = await this.unreferenced();
    for (let last: string | null = ''; last !== null;) last = await this.markPage(unreferenced, last);
    const total = { blobs: 0, sizeInBytes: 0 };
    for (;;) {
      const { locked, blobs, sizeInBytes } = await this.deleteBatch(unreferenced, graceDays);
      total.blobs += blobs;
      total.sizeInBytes += sizeInBytes;
      // The other blobs are in use again, or another process deletes them.
      if (locked < BATCH || blobs === 0) break;
    }
    await this.removeObjects();
    return total;
  }

  /**
   * A condition on a row of `blobs`. A variant is a part of its blob, and does not use it.
   *
   * The foreign keys themselves refuse to let go what is used, so this decides what is tried, not what is safe.
   */
  private async unreferenced(): Promise<string> {
    const keys = await sql<{ table: string; column: string }>(
      `SELECT conrelid::regclass::text AS table, quote_ident(attname) AS column
         FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND confrelid = 'blobs'::regclass AND conrelid <> 'blob_variants'::regclass
        ORDER BY 1, 2`,
    );
    return keys
      .map(({ table, column }) => `NOT EXISTS (SELECT FROM ${table} AS use WHERE use.${column} = blobs.id)`)
      .join(' AND ');
  }

  /** Notes since when blobs are not used. @returns where the next page begins; `null`: that was the last one */
  private async markPage(unreferenced: string, after: string): Promise<string | null> {
    const [last] = await sql<{ id: string }>(
      `WITH page AS (
         SELECT id, ${unreferenced} AS is_unreferenced FROM blobs
          WHERE id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT ${PAGE}
       ), marked AS (
         UPDATE blobs SET unreferenced_since = CASE WHEN page.is_unreferenced THEN now() END
           FROM page WHERE blobs.id = page.id AND page.is_unreferenced <> (blobs.unreferenced_since IS NOT NULL)
       )
       SELECT id FROM page ORDER BY id DESC LIMIT 1`,
      [after],
    );
    return last?.id ?? null;
  }

  /** An upload that uses a blob again holds its row, or waits for this. Then the blob stays, or the upload stores another. */
  private deleteBatch(unreferenced: string, graceDays: number): Promise<BlobSum & { locked: number }> {
    return transaction(async () => {
      const locked = await sql<{ id: string }>(
        `SELECT id FROM blobs WHERE unreferenced_since <= now() - make_interval(days => $1)
          ORDER BY unreferenced_since, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [graceDays],
      );
      // Looked at again by a statement of its own, which sees all that was committed before the rows were locked.
      const [deleted] = await sql<BlobSum>(
        `WITH doomed AS (
           SELECT id, size_in_bytes + (SELECT coalesce(sum(variant.size_in_bytes), 0)
                    FROM blob_variants AS variant WHERE variant.blob_id = blobs.id) AS size_in_bytes
             FROM blobs WHERE id = ANY($1) AND ${unreferenced}
         ), deleted AS (
           DELETE FROM blobs USING doomed WHERE blobs.id = doomed.id
         )
         SELECT count(*)::int AS blobs, coalesce(sum(size_in_bytes), 0)::bigint AS "sizeInBytes" FROM doomed`,
        [locked.map(({ id }) => id)],
      );
      return { locked: locked.length, blobs: 0, sizeInBytes: 0, ...deleted };
    });
  }

  /** Several processes may remove the same objects at once, which does no harm. */
  private async removeObjects(): Promise<void> {
    const limit = pLimit(REMOVED_AT_ONCE);
    for (;;) {
      const objects = await sql<{ id: string }>(
        `SELECT id FROM deleted_objects ORDER BY deleted_at, id LIMIT ${BATCH}`,
      );
      if (objects.length === 0) return;
      const ids = objects.map(({ id }) => id);
      await Promise.all(ids.map((id) => limit(() => this.storage.delete(keyOf(id)))));
      await sql('DELETE FROM deleted_objects WHERE id = ANY($1)', [ids]);
    }
  }
}
