import { type DynamicModule, Module } from '@nestjs/common';
import { EventCatalogue } from './event-catalogue.js';
import { EventConditionsQueries } from './event-conditions.queries.js';
import type { EventDefinition } from './event-definition.js';
import { EventEpochs } from './event-epochs.service.js';
import { EventEpochsQueries } from './event-epochs.queries.js';
import { EventLogQueries } from './event-log.queries.js';
import { EventRetentionQueries } from './event-retention.queries.js';
import { EventRetentionService } from './event-retention.service.js';
import { EventsQueries } from './events.queries.js';
import { EventsService } from './events.service.js';
import { ThresholdEvents } from './threshold-events.service.js';

/** Records events for all areas, and keeps them for a while. */
@Module({})
export class EventsModule {
  /** @param definitions all kinds of events */
  static with(definitions: readonly EventDefinition[]): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      providers: [
        { provide: EventCatalogue, useValue: new EventCatalogue(definitions) },
        EventsQueries,
        EventLogQueries,
        EventEpochs,
        EventEpochsQueries,
        EventsService,
        EventConditionsQueries,
        ThresholdEvents,
        EventRetentionQueries,
        EventRetentionService,
      ],
      exports: [EventCatalogue, EventLogQueries, EventsService, EventConditionsQueries, ThresholdEvents],
    };
  }
}
