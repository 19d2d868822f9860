import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';

/** What every event has besides its type and its data. */
export class EventEnvelopeDto {
  /** The same in all attempts to deliver the event, for all webhooks, and in the feed. */
  @ApiId()
  id!: string;

  /** When it happened. */
  @ApiTime()
  createdAt!: string;

  /** The organization that it happened in. */
  @ApiId()
  organizationId!: string;

  /** The app that it is about; `null`: it is about the organization. */
  @ApiId()
  appId!: string | null;

  /** Its place among the events of the organization, from 1. The events of one object are in the order of its changes. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 4711 })
  position!: number;
}
