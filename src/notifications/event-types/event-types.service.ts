import { Injectable } from '@nestjs/common';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { type EventTypeDto, toEventTypeDto } from './event-type.dto.js';
import { type DocumentWithEvents, eventSchemas } from './event-schemas.js';

/** All kinds of events with their schemas. */
@Injectable()
export class EventTypesService {
  private types: EventTypeDto[] | undefined;
  private createDocument: () => DocumentWithEvents = () => {
    throw new Error('There is no document.');
  };

  constructor(private readonly catalogue: EventCatalogue) {}

  /** @param create makes the OpenAPI document, which has the schemas. It runs at the first request: it takes a while. */
  describe(create: () => DocumentWithEvents): void {
    this.createDocument = create;
  }

  /** By type. */
  list(): EventTypeDto[] {
    if (this.types === undefined) {
      const schemas = eventSchemas(this.createDocument());
      this.types = this.catalogue.all.map((definition) =>
        toEventTypeDto(definition, schemas.get(definition.type) ?? {}),
      );
    }
    return this.types;
  }
}
