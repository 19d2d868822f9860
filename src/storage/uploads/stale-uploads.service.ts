import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { sql, sqlCount } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { Upload } from './upload.entity.js';

/** Uploads that one transaction deletes. */
const EXPIRED_AT_ONCE = 100;

/** An abandoned upload. */
export interface StaleUpload {
  readonly id: string;
  /** How many parts of it are stored. */
  readonly parts: number;
}

/** Finds and deletes uploads that receive no more parts. The rows of their parts go with them, and then the objects. */
@Injectable()
export class StaleUploadsService {
  constructor(@InjectRepository(Upload) private readonly uploads: Repository<Upload>) {}

  /** Uploads without activity since the given time that are not completed, or whose parts were left behind. */
  list(olderThan: Date): Promise<StaleUpload[]> {
    return sql<StaleUpload>(
      `SELECT upload.id, count(part.id)::int AS parts
         FROM uploads AS upload LEFT JOIN upload_parts AS part ON part.upload_id = upload.id
        GROUP BY upload.id
       HAVING coalesce(upload.completed_at, max(part.created_at), upload.created_at) < $1
          AND (upload.completed_at IS NULL OR count(part.id) > 0)`,
      [olderThan],
    );
  }

  /**
   * Deletes stale uploads, except those that are receiving a part.
   *
   * @returns how many it deleted
   */
  async expire(olderThan: Date): Promise<number> {
    const uploads = (await this.list(olderThan)).map(({ id }) => id);
    let expired = 0;
    for (let start = 0; start < uploads.length; start += EXPIRED_AT_ONCE) {
      expired += await this.expireBatch(uploads.slice(start, start + EXPIRED_AT_ONCE), olderThan);
    }
    return expired;
  }

  /** Deletes the given uploads. */
  async delete(uploads: readonly StaleUpload[]): Promise<void> {
    await this.uploads.delete({ id: In(uploads.map(({ id }) => id)) });
  }

  private expireBatch(ids: readonly string[], olderThan: Date): Promise<number> {
    return transaction(async () => {
      // A part that arrives now holds a lock on its upload, which is skipped.
      const locked = await sql<{ id: string }>(
        'SELECT id FROM uploads WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED',
        [ids],
      );
      return sqlCount(
        `DELETE FROM uploads AS upload
          WHERE id = ANY($1) AND NOT EXISTS (
            SELECT FROM upload_parts AS part WHERE part.upload_id = upload.id AND part.created_at >= $2)`,
        [locked.map(({ id }) => id), olderThan],
      );
    });
  }
}
