import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** Who is in front of a submission. */
export interface InFront {
  /** The deployment that it is of, or whose release it changes. */
  readonly deploymentId: string;
  readonly appId: string;
}

/** Those that wait report twice a minute; one that does not for so long does not keep its turn, in seconds. */
const SILENT_SECONDS = 120;

/** SQL of the submissions whose turn it is, and of those that wait for that. */
@Injectable()
export class StoreTurnsQueries {
  constructor(private readonly sql: Sql) {}

  /** Decides one after the other whose turn it is, until the transaction ends. */
  async serialize(key: string): Promise<void> {
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`store turn ${key}`]);
  }

  /** Whose turn it is, or who was there before a submission; `null`: the submission itself is next, or has the turn. */
  async inFrontOf(key: string, submissionId: string): Promise<InFront | null> {
    const [found] = await this.sql.query<InFront>(
      `SELECT COALESCE(submission.release_id, submission.id) AS "deploymentId", submission.app_id AS "appId"
         FROM submissions AS submission
         LEFT JOIN store_turns AS turn ON turn.submission_id = submission.id AND turn.key = $1
         LEFT JOIN submissions AS own ON own.id = $2 AND own.waits_for = $1
        WHERE submission.id <> $2
          AND NOT EXISTS (SELECT FROM store_turns WHERE key = $1 AND submission_id = $2)
          AND (submission.id = (SELECT submission_id FROM store_turns WHERE key = $1)
               OR (submission.waits_for = $1
                   AND submission.updated_at > now() - make_interval(secs => ${SILENT_SECONDS})
                   AND (own.id IS NULL OR (submission.waiting_since, submission.id) < (own.waiting_since, own.id))))
        ORDER BY turn.key NULLS LAST, submission.waiting_since, submission.id LIMIT 1`,
      [key, submissionId],
    );
    return found ?? null;
  }

  /** Whether something that only reads has the turn. */
  async isReserved(key: string): Promise<boolean> {
    const reserved = await this.sql.query(
      'SELECT FROM store_turns WHERE key = $1 AND reserved_until > now()',
      [key],
    );
    return reserved.length > 0;
  }

  /** Reserves the turn unless a submission has it, or another reservation. @returns its end; `null`: it is taken */
  async reserve(key: string, seconds: number): Promise<Date | null> {
    const [reserved] = await this.sql.query<{ until: Date }>(
      `INSERT INTO store_turns AS turn (key, reserved_until) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET reserved_until = excluded.reserved_until, created_at = now()
             WHERE turn.reserved_until <= now()
       RETURNING reserved_until AS until`,
      [key, seconds],
    );
    return reserved?.until ?? null;
  }

  /** Ends a reservation. @param until what `reserve` returned */
  async deleteReservation(key: string, until: Date): Promise<void> {
    await this.sql.execute('DELETE FROM store_turns WHERE key = $1 AND reserved_until = $2', [key, until]);
  }

  /** The submission has the turn from now on, or still. */
  async insert(key: string, submissionId: string): Promise<void> {
    await this.sql.execute('DELETE FROM store_turns WHERE key = $1 AND reserved_until <= now()', [key]);
    await this.sql.execute(
      'INSERT INTO store_turns (key, submission_id) VALUES ($1, $2) ON CONFLICT (submission_id) DO NOTHING',
      [key, submissionId],
    );
  }

  /** @returns the key of the turn that the submission had; `null`: none */
  async delete(submissionId: string): Promise<string | null> {
    const [deleted] = await this.sql.query<{ key: string }>(
      'DELETE FROM store_turns WHERE submission_id = $1 RETURNING key',
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
