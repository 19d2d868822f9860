import { type DynamicModule, Module } from '@nestjs/common';
import { EventCatalogue } from './event-catalogue.js';
import { EventConditions } from './event-conditions.service.js';
import type { EventDefinition } from './event-definition.js';
import { EventsQueries } from './events.queries.js';
import { EventsService } from './events.service.js';
import { ThresholdEvents } from './threshold-events.service.js';

/** Records events for all areas. */
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
        EventsService,
        EventConditions,
        ThresholdEvents,
      ],
      exports: [EventCatalogue, EventsService, EventConditions, ThresholdEvents],
    };
  }
}
