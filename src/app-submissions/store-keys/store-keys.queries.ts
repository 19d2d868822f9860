import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';

const UNUSED = `NOT EXISTS (SELECT FROM destinations d WHERE d.google_key_id = k.id)
            AND NOT EXISTS (SELECT FROM destinations d WHERE d.apple_key_file_id = k.id)`;

/** SQL of files that sign in to stores. */
@Injectable()
export class StoreKeysQueries {
  constructor(private readonly sql: Sql) {}

  /** Notes when destinations stopped to use keys. */
  async touch(ids: readonly string[]): Promise<void> {
    await this.sql.execute('UPDATE store_keys SET updated_at = now() WHERE id = ANY($1)', [ids]);
  }

  /**
   * Deletes keys that no destination has used for so many hours.
   *
   * @param size most keys
   * @returns how many it deleted
   */
  deleteUnused(hours: number, size: number): Promise<number> {
    return transaction(async () => {
      // Locked by a separate statement: then new destinations wait, and those that were committed in the meantime are
      // seen below.
      const keys = await this.sql.query<{ id: string }>(
        `SELECT id FROM store_keys k
          WHERE updated_at < now() - $1 * interval '1 hour' AND ${UNUSED}
          ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [hours, size],
      );
      const ids = keys.map(({ id }) => id);
      return this.sql.execute(`DELETE FROM store_keys k WHERE id = ANY($1) AND ${UNUSED}`, [ids]);
    });
  }
}
