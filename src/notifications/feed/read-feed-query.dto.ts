import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsString } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Where readers without a cursor begin. */
const feedStarts = ['oldest', 'latest'] as const;
type FeedStart = (typeof feedStarts)[number];

/** Seconds that a request waits at most: shorter than proxies cut requests that wait. */
const MAX_WAIT = 25;

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
}
