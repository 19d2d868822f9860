import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deleteInBatches } from '../database/delete-in-batches.js';
import { QueueService } from '../queue/queue.service.js';
import { EventRetentionQueries } from './event-retention.queries.js';

/** Events of one organization that are deleted in one statement. */
const BATCH = 1000;
/** Days after which a state is forgotten. One that lasts so long has its event again. */
const CONDITION_DAYS = 400;

/** Deletes events after `EVENT_RETENTION_DAYS`, of each organization in the order of their positions. */
@Injectable()
export class EventRetentionService implements OnModuleInit {
  constructor(
    private readonly queries: EventRetentionQueries,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'event-retention',
      cron: '55 0 * * *',
      timeoutSeconds: 3600,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    const { retentionDays } = this.config.events;
    for (const organizationId of await this.queries.organizationsWithOldEvents(retentionDays)) {
      await deleteInBatches(BATCH, (size) => this.queries.deleteFirst(organizationId, retentionDays, size));
    }
    await this.queries.deleteConditions(CONDITION_DAYS);
  }
}
