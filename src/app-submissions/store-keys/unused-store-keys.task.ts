import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { StoreKeysQueries } from './store-keys.queries.js';

/** How long a file waits for its destination. */
const HOURS = 24;

const BATCH = 500;

/** Deletes files that no destination uses: clients upload a file, and then create a destination with it. */
@Injectable()
export class UnusedStoreKeys implements OnModuleInit {
  constructor(
    private readonly queries: StoreKeysQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'unused-store-keys',
      cron: '35 * * * *',
      timeoutSeconds: 600,
      run: () => deleteInBatches(BATCH, (size) => this.queries.deleteUnused(HOURS, size)),
    });
  }
}
