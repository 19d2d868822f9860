import { ApiProperty } from '@nestjs/swagger';
import { type RolePermission, rolePermissions } from '../../common/access/permissions.js';
import type { EventDefinition } from '../../events/event-definition.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';

/** A kind of event. */
export class EventTypeDto {
  /**
   * Its name in webhooks and in the feed.
   *
   * @example 'app_channel_paused'
   */
  type!: string;

  /**
   * Its name in chats and emails.
   *
   * @example 'Channel paused'
   */
  title!: string;

  /**
   * When it happens.
   *
   * @example 'A channel was paused.'
   */
  description!: string;

  /** Whether it is about an app or about an organization. Webhooks of apps get the first kind only. */
  @ApiProperty({ enum: ['app', 'organization'] })
  of!: EventDefinition['of'];

  /** What a member needs to see such events in the feed. */
  @ApiProperty({ enum: [...rolePermissions], example: 'channels:read' })
  permission!: RolePermission;

  /** Whether a person should look at it. */
  @ApiProperty({ enum: ['info', 'warning', 'critical'] })
  severity!: NonNullable<EventDefinition['severity']>;

  /** JSON Schema (2020-12) of an event in the feed, and in webhooks with the format `raw`. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { type: 'object' } })
  schema!: object;
}

/** @param schema of the whole event */
export function toEventTypeDto(definition: EventDefinition, schema: object): EventTypeDto {
  const { type, title, description, of, permission, severity = 'info' } = definition;
  return { type, title, description, of, permission, severity, schema };
}

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

  /** The object that it is about, such as a channel or a job. */
  @ApiId()
  objectId!: string;

  /** The channel that it concerns; `null`: none. */
  @ApiId()
  channelId!: string | null;

  /** The user who caused it; `null`: no user. */
  @ApiId()
  userId!: string | null;

  /** The epoch that counts its position. A later epoch has a larger UUID; `null`: the first one. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  epoch!: string | null;

  /**
   * Its place among the events of the organization in its epoch, from 1. The events of one object are in the order of its
   * changes.
   */
  @ApiProperty({ type: 'integer', minimum: 1, example: 4711 })
  position!: number;
}
