import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
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
