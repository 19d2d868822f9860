import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DispatchedEvents } from '../../dispatcher/dispatched-events.js';
import { DeliverySchedules } from '../schedules/delivery-schedules.service.js';
import { DeliveryFanOutQueries } from './delivery-fan-out.queries.js';

/** Makes the deliveries of events, in the transaction that gives these their positions. */
@Injectable()
export class DeliveryFanOut implements OnModuleInit {
  constructor(
    private readonly events: DispatchedEvents,
    private readonly queries: DeliveryFanOutQueries,
    private readonly schedules: DeliverySchedules,
  ) {}

  onModuleInit(): void {
    this.events.numbered.register((events) => this.fanOut(events.map(({ id }) => id)));
  }

  private async fanOut(eventIds: readonly string[]): Promise<void> {
    const matches = await this.queries.match(eventIds);
    if (matches.length === 0) return;
    await this.queries.insert(matches);
    await this.schedules.wake([...new Set(matches.map(({ webhookId }) => webhookId))]);
  }
}
