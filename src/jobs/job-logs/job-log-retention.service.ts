import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import { Config } from '../../config/config.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { JobLogArchive } from './job-log-archive.service.js';
import { JobLogRetentionQueries } from './job-log-retention.queries.js';
import { LOG_SLOTS } from './job-log.entity.js';

/** Logs that one statement deletes, or finds. */
const BATCH = 500;

/** Deletes logs when their retention period has ended, and the chunks of those that have moved to storage. */
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
    this.queue.schedule({
      name: 'job-log-retention',
      cron: '23 * * * *',
      timeoutSeconds: 1800,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    const { logRetentionDays } = this.config.jobs;
    const parts = [
      // The jobs stay.
      () => deleteInBatches(BATCH, (limit) => this.queries.deleteOld(logRetentionDays, limit)),
      () => this.archiveForgotten(),
      ...Array.from({ length: LOG_SLOTS }, (_, slot) => () => this.truncate(slot)),
    ];
    await attemptAll(
      parts,
      (run) => run(),
      (err) => this.logger.error({ err }, 'A part of the retention of logs failed'),
    );
  }

  /**
   * Logs whose job in the queue has failed too often, such as during a long outage of the storage. One that cannot be
   * moved holds up neither the others nor the tables of other days.
   */
  private async archiveForgotten(): Promise<void> {
    for (const jobId of await this.queries.unmoved(BATCH)) {
      try {
        await this.archive.archive(jobId);
      } catch (err) {
        this.logger.warn({ err, jobId }, 'Could not move the log of a finished job to storage');
        if (err instanceof StorageFailure) return;
      }
    }
  }

  private async truncate(slot: number): Promise<void> {
    try {
      await this.queries.truncate(slot);
    } catch (err) {
      this.logger.warn(
        { err, slot },
        'Logs that were moved to storage could not be removed from the database',
      );
    }
  }
}
