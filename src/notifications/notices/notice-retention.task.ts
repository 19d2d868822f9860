import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { NoticesQueries } from './notices.queries.js';

/** Days that mails are kept. Longer than those that count for the limit of a day. */
const KEPT_DAYS = 7;
/** Rows that one statement deletes. */
const BATCH = 500;

/** Deletes the records of mails when their retention period has ended. */
@Injectable()
export class NoticeRetention implements OnModuleInit {
  constructor(
    private readonly queries: NoticesQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'notice-retention',
      cron: '40 0 * * *',
      timeoutSeconds: 1800,
      run: () => deleteInBatches(BATCH, (limit) => this.queries.deleteOld(KEPT_DAYS, limit)),
    });
  }
}
