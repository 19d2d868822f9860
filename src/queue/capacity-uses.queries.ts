import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

/** What one account has and waits for at one limit of one process. */
export interface CapacityUse {
  readonly limit: string;
  readonly account: string;
  readonly running: number;
  readonly waiting: number;
  /** Seconds that the oldest work has waited. */
  readonly waitSeconds: number;
}

/** The jobs of one queue that wait. */
export interface QueueUse {
  readonly queue: string;
  readonly waiting: number;
  /** Seconds that the oldest job has been due and has not begun. */
  readonly waitSeconds: number;
}

/** SQL: the jobs of each account in each queue that run, or are due, as the columns of `capacity_uses`. */
export const QUEUE_USES = `
  SELECT group_id AS account, name AS "limit", (count(*) FILTER (WHERE state = 'active'))::int AS running,
         (count(*) FILTER (WHERE state < 'active'))::int AS waiting,
         coalesce(extract(epoch FROM queue.job_now() - min(start_after) FILTER (WHERE state < 'active')), 0)::float8
           AS wait_seconds
    FROM queue.job
   WHERE state <= 'active' AND group_id IS NOT NULL AND (state = 'active' OR start_after <= queue.job_now())
   GROUP BY 1, 2`;

/** Who uses what all tenants share. */
@Injectable()
export class CapacityUsesQueries {
  constructor(private readonly sql: Sql) {}

  /** Replaces what this process has written before. @param process any name that no other process has */
  async replace(process: string, uses: readonly CapacityUse[]): Promise<void> {
    await this.sql.execute(
      `WITH old AS (DELETE FROM capacity_uses WHERE process = $1 OR abs(extract(epoch FROM now() - seen_at)) > 60)
       INSERT INTO capacity_uses (process, "limit", account, running, waiting, wait_seconds)
       SELECT $1, use."limit", use.account, use.running, use.waiting, use."waitSeconds"
         FROM jsonb_to_recordset($2) AS use("limit" text, account text, running int, waiting int, "waitSeconds" float8)`,
      [process, JSON.stringify(uses)],
    );
  }

  /** Every queue whose jobs belong to accounts and are due or running. */
  queues(): Promise<QueueUse[]> {
    return this.sql.query(
      `SELECT "limit" AS queue, sum(waiting)::int AS waiting, max(wait_seconds) AS "waitSeconds"
         FROM (${QUEUE_USES}) AS uses GROUP BY 1`,
    );
  }
}
