import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../../database/delete-in-batches.js';
import { QueueService } from '../../../queue/queue.service.js';
import { CallBudgetQueries } from './call-budget.queries.js';

const BATCH = 500;

/** Deletes counts of calls with keys of App Store Connect, of which only the last hour matters. */
@Injectable()
export class AppleKeyCallsRetention implements OnModuleInit {
  constructor(
    private readonly queries: CallBudgetQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'apple-key-calls',
      cron: '45 * * * *',
      timeoutSeconds: 600,
      run: () => deleteInBatches(BATCH, (size) => this.queries.deleteOld(size)),
    });
  }
}
