import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';

/** Number and size of blobs, with their variants. */
export interface BlobSum {
  readonly blobs: number;
  readonly sizeInBytes: number;
}

/** SQL of blobs that nothing uses, and of the objects of deleted rows. */
@Injectable()
export class BlobCollectorQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * A condition on a row of `blobs`. A variant is a part of its blob, and does not use it.
   *
   * The foreign keys themselves refuse to let go what is used, so this decides what is tried, not what is safe.
   */
  async unreferenced(): Promise<string> {
    const keys = await this.sql.query<{ table: string; column: string }>(
      `SELECT conrelid::regclass::text AS table, quote_ident(attname) AS column
         FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND confrelid = 'blobs'::regclass AND conrelid <> 'blob_variants'::regclass
        ORDER BY 1, 2`,
    );
    return keys
      .map(({ table, column }) => `NOT EXISTS (SELECT FROM ${table} AS use WHERE use.${column} = blobs.id)`)
      .join(' AND ');
  }

  /** Counts the blobs that nothing uses now. @param unreferenced the condition */
  async count(unreferenced: string): Promise<BlobSum> {
    const [row] = await this.sql.query<BlobSum>(
      `SELECT count(*)::int AS blobs,
              coalesce(sum(size_in_bytes + (SELECT coalesce(sum(variant.size_in_bytes), 0)
                FROM blob_variants AS variant WHERE variant.blob_id = blobs.id)), 0)::bigint AS "sizeInBytes"
         FROM blobs WHERE ${unreferenced}`,
    );
    return row ?? { blobs: 0, sizeInBytes: 0 };
  }

  /** Notes since when up to `limit` blobs are not used. @returns where the next page begins; `null`: that was the last one */
  async markPage(unreferenced: string, after: string, limit: number): Promise<string | null> {
    const [last] = await this.sql.query<{ id: string }>(
      `WITH page AS (
         SELECT id, ${unreferenced} AS is_unreferenced FROM blobs
          WHERE id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT ${limit}
       ), marked AS (
         UPDATE blobs SET unreferenced_since = CASE WHEN page.is_unreferenced THEN now() END
           FROM page WHERE blobs.id = page.id AND page.is_unreferenced <> (blobs.unreferenced_since IS NOT NULL)
       )
       SELECT id FROM page ORDER BY id DESC LIMIT 1`,
      [after],
    );
    return last?.id ?? null;
  }

  /**
   * Deletes up to `limit` blobs that were not used for the given time.
   *
   * An upload that uses a blob again holds its row, or waits for this. Then the blob stays, or the upload
   * stores another.
   */
  deleteBatch(unreferenced: string, graceDays: number, limit: number): Promise<BlobSum & { locked: number }> {
    return transaction(async () => {
      const locked = await this.sql.query<{ id: string }>(
        `SELECT id FROM blobs WHERE unreferenced_since <= now() - make_interval(days => $1)
          ORDER BY unreferenced_since, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
        [graceDays],
      );
      // Looked at again by a separate statement, which sees all that was committed before the rows were locked.
      const [deleted] = await this.sql.query<BlobSum>(
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

  /** Objects of deleted rows, the oldest first. */
  async deletedObjects(limit: number): Promise<string[]> {
    const objects = await this.sql.query<{ id: string }>(
      `SELECT id FROM deleted_objects ORDER BY deleted_at, id LIMIT ${limit}`,
    );
    return objects.map(({ id }) => id);
  }

  /** Forgets objects whose bytes are removed. */
  async forgetObjects(ids: readonly string[]): Promise<void> {
    await this.sql.execute('DELETE FROM deleted_objects WHERE id = ANY($1)', [ids]);
  }
}
