import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** A submission in relation to an edit. */
export interface EditUser {
  readonly submissionId: string;
  readonly appId: string;
}

/** Those that wait report twice a minute; one that does not for so long does not keep its turn, in seconds. */
const SILENT_SECONDS = 120;

/** SQL of the submissions that have an edit, and of those that wait for one. */
@Injectable()
export class StoreEditsQueries {
  constructor(private readonly sql: Sql) {}

  /** Decides one after the other who gets an edit, until the transaction ends. */
  async serialize(key: string): Promise<void> {
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`store edit ${key}`]);
  }

  /** Who has the edit, or was there before a submission; `null`: it is free for the submission, or its own. */
  async inFrontOf(key: string, submissionId: string): Promise<EditUser | null> {
    const [found] = await this.sql.query<EditUser>(
      `SELECT submission.id AS "submissionId", submission.app_id AS "appId"
         FROM submissions AS submission
         LEFT JOIN store_edits AS edit ON edit.submission_id = submission.id AND edit.key = $1
         LEFT JOIN submissions AS own ON own.id = $2 AND own.waits_for = $1
        WHERE submission.id <> $2
          AND NOT EXISTS (SELECT FROM store_edits WHERE key = $1 AND submission_id = $2)
          AND (submission.id = (SELECT submission_id FROM store_edits WHERE key = $1)
               OR (submission.waits_for = $1
                   AND submission.updated_at > now() - make_interval(secs => ${SILENT_SECONDS})
                   AND (own.id IS NULL OR (submission.waiting_since, submission.id) < (own.waiting_since, own.id))))
        ORDER BY edit.key NULLS LAST, submission.waiting_since, submission.id LIMIT 1`,
      [key, submissionId],
    );
    return found ?? null;
  }

  /** The submission has the edit from now on, or still. */
  async insert(key: string, submissionId: string): Promise<void> {
    await this.sql.execute(
      'INSERT INTO store_edits (key, submission_id) VALUES ($1, $2) ON CONFLICT (submission_id) DO NOTHING',
      [key, submissionId],
    );
  }

  /** @returns the key of the edit that the submission had; `null`: none */
  async delete(submissionId: string): Promise<string | null> {
    const [deleted] = await this.sql.query<{ key: string }>(
      'DELETE FROM store_edits WHERE submission_id = $1 RETURNING key',
      [submissionId],
    );
    return deleted?.key ?? null;
  }

  /** The jobs of those that wait, those that have waited longest first. */
  async waitingJobs(waitsFor: string, limit: number): Promise<string[]> {
    const waiting = await this.sql.query<{ jobId: string }>(
      `SELECT job_id AS "jobId" FROM submissions WHERE waits_for = $1 ORDER BY waiting_since, id LIMIT $2`,
      [waitsFor, limit],
    );
    return waiting.map(({ jobId }) => jobId);
  }
}
