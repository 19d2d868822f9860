import { Injectable } from '@nestjs/common';
import { ApiDocument } from '../../common/openapi/api-document.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { type EventTypeDto, toEventTypeDto } from './event-type.dto.js';
import { eventSchemas } from './event-schemas.js';

/** All kinds of events with their schemas. */
@Injectable()
export class EventTypesService {
  private types: EventTypeDto[] | undefined;

  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly document: ApiDocument,
  ) {}

  /** By type. */
  list(): EventTypeDto[] {
    if (this.types === undefined) {
      const schemas = eventSchemas(this.document.get());
      this.types = this.catalogue.all.map((definition) =>
        toEventTypeDto(definition, schemas.get(definition.type) ?? {}),
      );
    }
    return this.types;
  }
}
