import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { JobLogArchive } from './job-log-archive.service.js';
import { LOG_SLOTS } from './job-log.entity.js';
import { JobLogRetentionQueries } from './job-log-retention.queries.js';

const CLEANING: QueueDefinition = {
  name: 'job-log-retention',
  retryLimit: 0,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 1800,
};
const EVERY_HOUR = '23 * * * *';

/** Deletes logs when their time is over, and the chunks of those that have moved to storage. */
@Injectable()
export class JobLogRetention implements OnModuleInit {
  private readonly logger = new Logger(JobLogRetention.name);

  constructor(
    private readonly queries: JobLogRetentionQueries,
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
    while (await this.queries.deleteOld(this.config.jobs.logRetentionDays));
  }

  /**
   * Logs whose job in the queue has failed too often, such as during a long outage of the storage. One that cannot be
   * moved holds up neither the others nor the tables of other days.
   */
  private async archiveForgotten(): Promise<void> {
    for (const id of await this.queries.unmoved()) {
      try {
        await this.archive.archive(id);
      } catch (err) {
        this.logger.warn({ err, jobId: id }, 'Could not move the log of a finished job to storage');
        if (err instanceof StorageFailure) return;
      }
    }
  }

  /** A table that is in use is left for the next run. */
  private async truncate(slot: number): Promise<void> {
    try {
      await transaction(() => this.queries.truncate(slot));
    } catch (err) {
      this.logger.warn({ err }, `Could not truncate job_log_chunks_${slot}; the next run tries again`);
    }
  }
}
