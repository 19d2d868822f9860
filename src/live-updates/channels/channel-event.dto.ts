import { isDeepStrictEqual } from 'node:util';
import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { ChannelDto } from './channel.dto.js';
import type { Channel } from './channel.entity.js';

/** A channel as events name it. */
export class ChannelEventDto {
  @ApiId()
  appChannelId!: string;

  /** @example 'production' */
  appChannelName!: string;

  /** Start of the pause; `null`: not paused. */
  @ApiTime()
  pausedAt!: string | null;

  /** Delivery stops at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;
}

/** The data of an event about a channel. */
export function toChannelEventDto({ id, name, pausedAt, expiresAt }: Channel): ChannelEventDto {
  return {
    appChannelId: id,
    appChannelName: name,
    pausedAt: pausedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** A channel that a user has paused or resumed. */
export class ChannelPauseEventDto extends ChannelEventDto {
  /** What the user said; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;
}

/** The settings of a channel that a user can change with PATCH. */
const settings = [
  'name',
  'expiresAt',
  'protectedAt',
  'requiredApprovals',
  'freezeWindows',
  'allowedRefs',
  'bundleRetentionCount',
  'rollbackLimit',
] as const;

/** Those of them that have changed. */
class ChangedChannelDto extends PartialType(PickType(ChannelDto, settings), { skipNullProperties: false }) {}

/** A channel whose settings a user has changed. */
export class ChannelUpdatedEventDto extends ChannelPauseEventDto {
  /** The changed fields as they were. */
  before!: ChangedChannelDto;

  /** The changed fields as they are now. */
  after!: ChangedChannelDto;
}

/** What has changed of a channel. @returns `null`: nothing that a user can change with PATCH */
export function changesOf(
  before: Channel,
  after: Channel,
): Pick<ChannelUpdatedEventDto, 'before' | 'after'> | null {
  const shown = (channel: Channel, names: readonly string[]): ChangedChannelDto =>
    Object.fromEntries(
      Object.entries(JSON.parse(JSON.stringify(channel)) as object).filter(([name]) => names.includes(name)),
    );
  const changed = settings.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.length === 0 ? null : { before: shown(before, changed), after: shown(after, changed) };
}
