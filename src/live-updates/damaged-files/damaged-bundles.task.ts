import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { type DamagedBundle, DamagedBundlesQueries, IS_SOUND } from './damaged-bundles.queries.js';
import { appBundleDamaged } from './damaged-files.events.js';

const KIND = 'bundle-damaged';
/** There is only one. */
const THRESHOLD = '';
const BATCH = 500;

/** Records one event for each bundle that is damaged, until it is repaired. */
@Injectable()
export class DamagedBundleEvents implements OnModuleInit {
  constructor(
    private readonly queries: DamagedBundlesQueries,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'damaged-bundles',
      cron: '*/5 * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    await this.conditions.clearWhere(KIND, THRESHOLD, IS_SOUND);
    for (const bundle of await this.queries.newlyDamaged(KIND, BATCH)) await this.record(bundle);
  }

  private record({ appId, ...data }: DamagedBundle): Promise<boolean> {
    const { appBundleId: objectId, appChannelId: channelId } = data;
    return this.thresholds.cross(appBundleDamaged, KIND, [THRESHOLD], { appId, objectId, channelId, data });
  }
}
