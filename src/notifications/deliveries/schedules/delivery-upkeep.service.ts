import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { deleteInBatches } from '../../../database/delete-in-batches.js';
import { CachedReading } from '../../../metrics/cached-reading.js';
import { Metrics } from '../../../metrics/metrics.js';
import { QueueService } from '../../../queue/queue.service.js';
import { DeliverySchedules } from './delivery-schedules.service.js';
import { DeliveryUpkeepQueries } from './delivery-upkeep.queries.js';

/** Rows that one statement deletes. */
const BATCH = 1000;
/** How long counts are used, in milliseconds. */
const MAX_AGE = 30_000;

/** Deletes old deliveries, plans runs that were lost, and counts what is pending. */
@Injectable()
export class DeliveryUpkeep implements OnModuleInit {
  constructor(
    private readonly queries: DeliveryUpkeepQueries,
    private readonly schedules: DeliverySchedules,
    private readonly queue: QueueService,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'webhook-delivery-retention',
      cron: '5 1 * * *',
      timeoutSeconds: 3600,
      run: () =>
        deleteInBatches(BATCH, (size) => this.queries.deleteOld(this.config.events.retentionDays, size)),
    });
    this.queue.schedule({
      name: 'lost-webhook-deliveries',
      cron: '*/15 * * * *',
      timeoutSeconds: 600,
      run: () => this.schedules.planLost(),
    });
    const counts = new CachedReading(() => this.queries.count(), MAX_AGE);
    this.metrics.gauge(
      { name: 'slipway_webhook_deliveries_pending', help: 'Deliveries of webhooks that wait to be sent.' },
      async () => (await counts.read())?.pending ?? null,
      'max',
    );
    this.metrics.gauge(
      {
        name: 'slipway_webhooks_failing',
        help: 'Webhooks whose receivers did not work at the last attempt.',
      },
      async () => (await counts.read())?.failingWebhooks ?? null,
      'max',
    );
  }
}
