import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { finalJobStatuses } from '../jobs/job.entity.js';
import { LOG_SLOTS } from './job-log.entity.js';

/** A truncation stops after waiting this long, so that the statements behind it do not wait longer. */
const LOCK_TIMEOUT = '1s';

@Injectable()
export class JobLogRetentionQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Deletes up to `limit` logs of jobs that ended longer ago than their app keeps them.
   *
   * @param days those of apps without a setting; 0: never
   * @returns how many
   */
  deleteOld(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM job_logs WHERE id IN (
         SELECT log.id FROM job_logs AS log
           JOIN jobs AS job ON job.id = log.id JOIN apps AS app ON app.id = job.app_id
          WHERE job.finished_at < now() - make_interval(days => coalesce(app.job_log_retention_days, nullif($1::int, 0)))
          LIMIT ${limit})`,
      [days],
    );
  }

  /** Jobs that ended an hour ago or earlier, and whose logs have not moved to storage. */
  async unmoved(limit: number): Promise<string[]> {
    const logs = await this.sql.query<{ id: string }>(
      `SELECT log.id FROM job_logs AS log JOIN jobs AS job ON job.id = log.id
        WHERE log.archived_at IS NULL AND job.status = ANY($1) AND job.finished_at < now() - interval '1 hour'
        ORDER BY log.id LIMIT ${limit}`,
      [finalJobStatuses],
    );
    return logs.map(({ id }) => id);
  }

  /**
   * Empties the table of a day before yesterday or earlier, if all of its logs have moved. New logs begin in the table of
   * today, so none can come in between.
   */
  async truncate(slot: number): Promise<void> {
    const table = `job_log_chunks_${slot}`;
    await transaction(async () => {
      const [due] = await this.sql.query<{ isDue: boolean }>(
        `SELECT pg_relation_size($1::regclass) > 0 AND mod(extract(epoch FROM now())::bigint / 86400 - $2, ${LOG_SLOTS}) > 1
                AND NOT EXISTS (SELECT FROM job_logs WHERE slot = $2 AND archived_at IS NULL) AS "isDue"`,
        [table, slot],
      );
      if (due?.isDue !== true) return;
      await this.sql.execute(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await this.sql.execute(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const [unmoved] = await this.sql.query(
        'SELECT FROM job_logs WHERE slot = $1 AND archived_at IS NULL LIMIT 1',
        [slot],
      );
      if (unmoved === undefined) await this.sql.execute(`TRUNCATE ${table}`);
    });
  }
}
