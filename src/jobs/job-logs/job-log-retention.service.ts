import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import { Config } from '../../config/config.js';
import { sql, sqlCount } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { finalJobStatuses } from '../jobs/job.entity.js';
import { JobLogArchive } from './job-log-archive.service.js';
import { LOG_SLOTS } from './job-log.entity.js';

const CLEANING: QueueDefinition = {
  name: 'job-log-retention',
  retryLimit: 0,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 1800,
};
const EVERY_HOUR = '23 * * * *';

/** Logs that one statement deletes, or looks at. */
const BATCH = 500;
/** A truncation stops after waiting this long, so that the statements behind it do not wait longer. */
const LOCK_TIMEOUT = '1s';

/** Deletes logs when their time is over, and the chunks of those that have moved to storage. */
@Injectable()
export class JobLogRetention implements OnModuleInit {
  private readonly logger = new Logger(JobLogRetention.name);

  constructor(
    private readonly queue: QueueService,
    private readonly archive: JobLogArchive,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(CLEANING, EVERY_HOUR, () => this.run());
  }

  /** One run. */
  async run(): Promise<void> {
    await this.deleteOld();
    await this.archiveForgotten();
    for (let slot = 0; slot < LOG_SLOTS; slot++) await this.truncate(slot);
  }

  /** Deletes the logs of jobs that ended longer ago than their app keeps them. The jobs stay. */
  async deleteOld(): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = await sqlCount(
        `DELETE FROM job_logs WHERE id IN (
           SELECT log.id FROM job_logs AS log
             JOIN jobs AS job ON job.id = log.id JOIN apps AS app ON app.id = job.app_id
            WHERE job.finished_at < now() - make_interval(days => coalesce(app.job_log_retention_days, nullif($1::int, 0)))
            LIMIT ${BATCH})`,
        [this.config.jobs.logRetentionDays],
      );
    }
  }

  /**
   * Logs whose job in the queue has failed too often, such as during a long outage of the storage. One that cannot be
   * moved holds up neither the others nor the tables of other days.
   */
  private async archiveForgotten(): Promise<void> {
    const logs = await sql<{ id: string }>(
      `SELECT log.id FROM job_logs AS log JOIN jobs AS job ON job.id = log.id
        WHERE log.archived_at IS NULL AND job.status = ANY($1) AND job.finished_at < now() - interval '1 hour'
        ORDER BY log.id LIMIT ${BATCH}`,
      [finalJobStatuses],
    );
    for (const { id } of logs) {
      try {
        await this.archive.archive(id);
      } catch (err) {
        this.logger.warn({ err, jobId: id }, 'A finished log could not be moved to storage');
        if (err instanceof StorageFailure) return;
      }
    }
  }

  /**
   * Empties the table of a day before yesterday or earlier, if all of its logs have moved. New logs begin in the table of
   * today, so none can come in between.
   */
  private async truncate(slot: number): Promise<void> {
    const table = `job_log_chunks_${slot}`;
    try {
      await transaction(async () => {
        const [due] = await sql<{ isDue: boolean }>(
          `SELECT pg_relation_size($1::regclass) > 0 AND mod(extract(epoch FROM now())::bigint / 86400 - $2, ${LOG_SLOTS}) > 1
                  AND NOT EXISTS (SELECT FROM job_logs WHERE slot = $2 AND archived_at IS NULL) AS "isDue"`,
          [table, slot],
        );
        if (due?.isDue !== true) return;
        await sql(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        await sql(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const [unmoved] = await sql(`SELECT FROM job_logs WHERE slot = $1 AND archived_at IS NULL LIMIT 1`, [
          slot,
        ]);
        if (unmoved === undefined) await sql(`TRUNCATE ${table}`);
      });
    } catch (err) {
      this.logger.warn({ err }, `The chunks of logs in ${table} could not be removed yet`);
    }
  }
}
