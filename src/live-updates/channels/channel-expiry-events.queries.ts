import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { type Expiring, expiryThresholds, newlyExpiring } from '../../events/expiry.js';

/** When a channel has events before it expires, and when it has expired. */
export const CHANNEL_EXPIRY = expiryThresholds(7, 1, 0);

/** A channel that has crossed a threshold. */
export interface ExpiringChannel extends Expiring {
  readonly appId: string;
}

/** SQL of channels that expire. */
@Injectable()
export class ChannelExpiryQueries {
  constructor(private readonly sql: Sql) {}

  /** Those that have crossed a threshold and have no state for it. @param size most of them */
  newlyCrossed(kind: string, size: number): Promise<ExpiringChannel[]> {
    const channels = `
      SELECT channel.id, app.id AS "appId", app.organization_id AS "organizationId", channel.expires_at AS "expiresAt"
        FROM channels AS channel JOIN apps AS app ON app.id = channel.app_id`;
    return this.sql.query<ExpiringChannel>(newlyExpiring(channels, CHANNEL_EXPIRY), [kind, size]);
  }
}
