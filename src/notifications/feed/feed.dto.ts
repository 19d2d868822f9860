import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import type { FeedEvent } from './reading/feed.queries.js';

/** Something that has happened. */
@ApiExample({
  type: 'app_channel_paused',
  position: 42,
  objectId: exampleId('Channel'),
  channelId: exampleId('Channel'),
  data: {
    appChannelId: exampleId('Channel'),
    appChannelName: 'production',
    pausedAt: EXAMPLE_TIME,
    expiresAt: null,
  },
})
export class EventDto {
  /** The same in the feed, in webhooks, and in each attempt of a delivery. */
  @ApiId()
  id!: string;

  /**
   * Its kind.
   * @example 'app_channel_paused'
   */
  type!: string;

  /** Place among the events of the organization, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  position!: number;

  @ApiTime()
  createdAt!: string;

  @ApiId()
  organizationId!: string;

  /** The app that it is about; `null`: the organization. */
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

  /** What is known about it, by the schema of its type. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: object;
}

/** Events, and where to go on. */
export class FeedDto {
  /** In the order of their positions. */
  events!: EventDto[];

  /**
   * Send it with the next request, also when there are no events.
   * @example 'AQGTWoJ5HnJlu7PywdRVa4kAAAAAAAAAKg'
   */
  cursor!: string;

  /** Whether there may be more events by now: ask again at once. */
  hasMore!: boolean;
}

/** The response for an event. */
export function toEventDto(event: FeedEvent): EventDto {
  return {
    id: event.id,
    type: event.type,
    position: event.position,
    createdAt: event.createdAt.toISOString(),
    organizationId: event.organizationId,
    appId: event.appId,
    objectId: event.objectId,
    channelId: event.channelId,
    userId: event.userId,
    data: event.data,
  };
}
