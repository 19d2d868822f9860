import { Injectable, type OnModuleInit } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { StoreReleases } from '../releases/store-releases.service.js';
import { ReleaseWatch } from './release-watch.service.js';

/** Seconds from which a planned look is late. */
const LATE = 3600;
const BATCH = 500;

/** Plans looks again that are late, such as those that the queue has given up after an outage of days. */
@Injectable()
export class LostLooks implements OnModuleInit {
  constructor(
    private readonly releases: StoreReleases,
    private readonly watch: ReleaseWatch,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'lost-release-looks',
      cron: '45 * * * *',
      timeoutSeconds: 600,
      run: () => this.planAgain(),
    });
  }

  private async planAgain(): Promise<void> {
    for (const { id } of await this.releases.late(LATE, BATCH)) {
      await transaction(() => this.watch.lookSoon(id));
    }
  }
}
