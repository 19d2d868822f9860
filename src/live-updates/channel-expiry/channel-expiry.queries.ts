import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { EXPIRED_LATELY, expiryThresholds, strictestCrossed } from '../../events/expiry.js';

/** When a channel has events before it expires, and when it has expired. */
export const CHANNEL_EXPIRY = expiryThresholds(7, 1, 0);

/** A channel that has crossed a threshold. */
export interface ExpiringChannel {
  readonly id: string;
  readonly appId: string;
  readonly expiresAt: Date;
  /** The strictest threshold. */
  readonly threshold: string;
}

/** SQL of channels that expire. */
@Injectable()
export class ChannelExpiryQueries {
  constructor(private readonly sql: Sql) {}

  /** Those that have crossed a threshold and have no state for it. @param size most of them */
  newlyCrossed(kind: string, size: number): Promise<ExpiringChannel[]> {
    return this.sql.query<ExpiringChannel>(
      `SELECT channel.id, channel.app_id AS "appId", channel.expires_at AS "expiresAt", crossed.threshold
         FROM channels AS channel JOIN apps AS app ON app.id = channel.app_id
        CROSS JOIN LATERAL (SELECT ${strictestCrossed('channel.expires_at', CHANNEL_EXPIRY)} AS threshold) AS crossed
        WHERE crossed.threshold IS NOT NULL AND channel.expires_at > now() - interval '${EXPIRED_LATELY}'
          AND NOT EXISTS (SELECT FROM event_conditions AS state
                           WHERE state.object_id = channel.id AND state.kind = $1
                             AND state.threshold = crossed.threshold
                             AND state.organization_id = app.organization_id)
        ORDER BY channel.expires_at, channel.id LIMIT $2`,
      [kind, size],
    );
  }
}
