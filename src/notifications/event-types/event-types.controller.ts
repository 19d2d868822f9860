import { Controller, Get } from '@nestjs/common';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { EventTypeDto } from './event-type.dto.js';
import { EventTypesService } from './event-types.service.js';

@ApiTags('Events')
@Controller('event-types')
export class EventTypesController {
  constructor(private readonly types: EventTypesService) {}

  /** Lists all kinds of events by type, with the JSON Schemas of what webhooks send of them. */
  @Get()
  @Requires('account:read')
  list(): EventTypeDto[] {
    return this.types.list();
  }
}
