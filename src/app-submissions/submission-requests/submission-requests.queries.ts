import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL about the calls of submissions. */
@Injectable()
export class SubmissionRequestsQueries {
  constructor(private readonly sql: Sql) {}

  /** Deletes all but the latest calls of a submission. */
  async keepLatest(submissionId: string, count: number): Promise<void> {
    await this.sql.execute(
      `DELETE FROM submission_requests WHERE submission_id = $1 AND id <= (
         SELECT id FROM submission_requests WHERE submission_id = $1 ORDER BY id DESC OFFSET ${count} LIMIT 1)`,
      [submissionId],
    );
  }

  /** Deletes up to `limit` calls that are older than so many days. @returns how many */
  deleteOld(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM submission_requests WHERE id IN (
         SELECT id FROM submission_requests WHERE created_at < now() - make_interval(days => $1) LIMIT ${limit})`,
      [days],
    );
  }
}
