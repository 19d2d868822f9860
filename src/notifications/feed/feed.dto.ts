import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsString } from 'class-validator';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IdList } from '../../common/validation/id-list.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { EventEnvelopeDto } from '../event-types/event-type.dto.js';
import type { FeedEvent } from './feed.queries.js';

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
export class EventDto extends EventEnvelopeDto {
  /**
   * Its kind.
   * @example 'app_channel_paused'
   */
  type!: string;

  /** What is known about it, by the schema of its type. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: object;
}

/** Events, and where to go on. */
export class FeedDto {
  /** In the order of their positions; with `order=newest` the last one first. */
  events!: EventDto[];

  /**
   * Send it with the next request, also when there are no events: as `cursor`, or with `order=newest` as `before`.
   * @example 'AQGTWoJ5HnJlu7PywdRVa4kAAAAAAAAAKg'
   */
  cursor!: string;

  /** Only with `order=newest`: the users who caused the events, without those who were deleted. */
  users?: UserReferenceDto[];

  /** Whether there may be more events by now: ask again at once. With `order=newest`: whether there may be older ones. */
  hasMore!: boolean;
}

/** The response for an event. */
export function toEventDto(event: FeedEvent): EventDto {
  return {
    id: event.id,
    type: event.type,
    epoch: event.epoch,
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

/** Which events come first. */
const feedOrders = ['oldest', 'newest'] as const;
type FeedOrder = (typeof feedOrders)[number];

/** Where readers without a cursor begin. */
const feedStarts = ['oldest', 'latest'] as const;
type FeedStart = (typeof feedStarts)[number];

/** Seconds that a request waits at most: shorter than proxies cut requests that wait. */
const MAX_WAIT = 25;

/** Objects whose events one request reads. */
const MAX_OBJECTS = 10;

/** A list of types as one text, which becomes a list. */
function EventTypes(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', example: 'app_channel_paused,app_channel_resumed' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value !== '' ? value.split(',').map((type) => type.trim()) : value,
    ),
    IsEmptyOr(),
    ArrayMaxSize(100, { message: 'types must hold at most 100 types.' }),
    IsString({ each: true, message: 'types must be a comma-separated list.' }),
  );
}

/** Which events to read. All filters must hold. */
export class ReadFeedQuery extends PickType(PageQuery, ['limit']) {
  /** `cursor` of the last response. */
  @QueryText()
  cursor?: string;

  /** Where to begin without a cursor: with the oldest event that is kept, or with what happens from now on. */
  @ApiPropertyOptional({ default: 'oldest' })
  @IsEmptyOr()
  @IsOneOf(feedStarts, 'FeedStart')
  start?: FeedStart;

  /**
   * Which events come first: the oldest ones, to read all that happens, or the newest ones, to look back from now. The
   * latter takes neither `cursor` nor `start` nor `wait`.
   */
  @ApiPropertyOptional({ default: 'oldest' })
  @IsEmptyOr()
  @IsOneOf(feedOrders, 'FeedOrder')
  order?: FeedOrder;

  /** With `order=newest`: `cursor` of the last response, for the events before it. */
  @QueryText()
  before?: string;

  /** Seconds to wait for an event if there is none. The response comes with the first events. */
  @ApiPropertyOptional({ default: 0 })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @IsEmptyOr()
  @IsWholeNumber(0, MAX_WAIT)
  wait?: number;

  /** Only events of these types, separated by commas. */
  @EventTypes()
  types?: string[];

  /** Only events about this app. */
  @IsEmptyOr()
  @IsId()
  appId?: string;

  /** Only events that concern this channel. */
  @IsEmptyOr()
  @IsId()
  channelId?: string;

  /** Only events about this object, such as a deployment, or about one of at most 10, separated by commas. */
  @IsEmptyOr()
  @IdList(MAX_OBJECTS, false)
  objectId?: string[];
}
