import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { SubmissionRequestsQueries } from './submission-requests.queries.js';

/** Days that calls are kept. */
const KEPT_DAYS = 30;
/** Rows that one statement deletes. */
const BATCH = 500;

/** Deletes the calls of submissions when their retention period has ended. */
@Injectable()
export class SubmissionRequestRetention implements OnModuleInit {
  constructor(
    private readonly queries: SubmissionRequestsQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'submission-request-retention',
      cron: '30 0 * * *',
      timeoutSeconds: 1800,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    await deleteInBatches(BATCH, (limit) => this.queries.deleteOld(KEPT_DAYS, limit));
  }
}
