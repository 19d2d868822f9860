import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { crossedUpTo, isNotExpiring } from '../../events/expiry.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { toChannelEventDto } from './channel-event.dto.js';
import { appChannelExpired, appChannelExpiring } from './channels.events.js';
import { ChannelsService } from './channels.service.js';
import {
  CHANNEL_EXPIRY,
  ChannelExpiryQueries,
  type ExpiringChannel,
} from './channel-expiry-events.queries.js';

const KIND = 'channel-expiring';
const BATCH = 500;

/** Records events of channels that expire soon or have expired: again after a user has moved the expiry. */
@Injectable()
export class ChannelExpiryEvents implements OnModuleInit {
  constructor(
    private readonly channels: ChannelsService,
    private readonly queries: ChannelExpiryQueries,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'channel-expiry',
      cron: '*/5 * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    for (const threshold of CHANNEL_EXPIRY) {
      await this.conditions.clearWhere(KIND, threshold.name, isNotExpiring('channels', threshold));
    }
    for (const channel of await this.queries.newlyCrossed(KIND, BATCH)) await this.record(channel);
  }

  private async record({ id, appId, expiresAt, threshold }: ExpiringChannel): Promise<void> {
    try {
      await transaction(async () => {
        const channel = await this.channels.lock(appId, id);
        // A user has moved it in the meantime.
        if (channel.expiresAt?.getTime() !== expiresAt.getTime()) return;
        const definition = threshold === 'expired' ? appChannelExpired : appChannelExpiring;
        const data = toChannelEventDto(channel);
        const happening = { appId, objectId: id, channelId: id, data };
        await this.thresholds.cross(definition, KIND, crossedUpTo(CHANNEL_EXPIRY, threshold), happening);
      });
    } catch (error) {
      // It has been deleted in the meantime.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}
