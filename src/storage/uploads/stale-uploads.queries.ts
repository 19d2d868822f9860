import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';

/** An abandoned upload. */
export interface StaleUpload {
  readonly id: string;
  /** How many parts of it are stored. */
  readonly parts: number;
}

/** SQL of uploads that receive no more parts. */
@Injectable()
export class StaleUploadsQueries {
  constructor(private readonly sql: Sql) {}

  /** Uploads without activity since the given time that are not completed, or whose parts were left behind. */
  list(olderThan: Date): Promise<StaleUpload[]> {
    return this.sql.query(
      `SELECT upload.id, count(part.id)::int AS parts
         FROM uploads AS upload LEFT JOIN upload_parts AS part ON part.upload_id = upload.id
        GROUP BY upload.id
       HAVING coalesce(upload.completed_at, max(part.created_at), upload.created_at) < $1
          AND (upload.completed_at IS NULL OR count(part.id) > 0)`,
      [olderThan],
    );
  }

  /** Deletes those of the uploads that have received no part since the given time. @returns how many */
  delete(ids: readonly string[], olderThan: Date): Promise<number> {
    return transaction(async () => {
      // A part that arrives now holds a lock on its upload, which is skipped.
      const locked = await this.sql.query<{ id: string }>(
        'SELECT id FROM uploads WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED',
        [ids],
      );
      return this.sql.execute(
        `DELETE FROM uploads AS upload
          WHERE id = ANY($1) AND NOT EXISTS (
            SELECT FROM upload_parts AS part WHERE part.upload_id = upload.id AND part.created_at >= $2)`,
        [locked.map(({ id }) => id), olderThan],
      );
    });
  }
}
