import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** The devices of a channel that were seen in thirty days. */
export interface ChannelCount {
  /** Seen on the day of the count. */
  readonly daily: number;
  readonly monthly: number;
  /** What the channel delivered when they were counted; `null`: nothing. */
  readonly bundleId: string | null;
  /** Those that ran it. */
  readonly running: number;
}

/** The devices of an app that were seen in thirty days. */
export interface AppCount {
  readonly countedAt: Date;
  /** UTC, such as `2026-03-14`. */
  readonly day: string;
  readonly daily: number;
  /** Seen on the day before. */
  readonly yesterday: number;
  readonly monthly: number;
  /** By id; without channels that have none. */
  readonly channels: ReadonlyMap<string, ChannelCount>;
}

type CountRow = ChannelCount & Omit<AppCount, 'channels'> & { readonly channelId: string | null };

/** The bundle that a channel delivers, as a column of `channels AS channel`. */
export const DELIVERED_BUNDLE = `(
  SELECT bundles.id FROM (
           SELECT build_id FROM deployments WHERE channel_id = channel.id AND approval_status = 'approved'
            ORDER BY sequence DESC LIMIT 1
         ) AS active
    JOIN build_artifacts ON build_artifacts.build_id = active.build_id
    JOIN bundles ON bundles.id = build_artifacts.id
   LIMIT 1)`;

@Injectable()
export class AppCountsQueries {
  constructor(private readonly sql: Sql) {}

  /** Counts the devices of an app, in one pass over those that were seen in thirty days. */
  async count(appId: string): Promise<AppCount> {
    const rows = await this.sql.query<CountRow>(
      `WITH current AS (
         SELECT channel.id, ${DELIVERED_BUNDLE} AS bundle_id FROM channels AS channel WHERE channel.app_id = $1
       ), today AS MATERIALIZED (
         SELECT (now() AT TIME ZONE 'UTC')::date AS day
       ), device AS (
         SELECT coalesce(forced_channel_id, channel_id) AS channel_id, bundle_id, seen_days,
                (last_seen_at AT TIME ZONE 'UTC')::date - today.day AS late
           FROM devices CROSS JOIN today
          WHERE app_id = $1 AND last_seen_at >= (today.day - 29)::timestamp AT TIME ZONE 'UTC'
       )
       SELECT now() AS "countedAt", to_char((SELECT day FROM today), 'YYYY-MM-DD') AS day,
              current.id AS "channelId", current.bundle_id AS "bundleId",
              count(*) FILTER (WHERE late >= 0)::int AS daily,
              count(*) FILTER (WHERE late = -1 OR late >= 0 AND (seen_days >> (late + 1)) & 1 = 1)::int AS yesterday,
              count(*)::int AS monthly,
              count(*) FILTER (WHERE device.bundle_id = current.bundle_id)::int AS running
         FROM device LEFT JOIN current ON current.id = device.channel_id
        GROUP BY GROUPING SETS ((), (current.id, current.bundle_id))
       HAVING grouping(current.id) = 1 OR current.id IS NOT NULL`,
      [appId],
    );
    const [all] = rows.filter(({ channelId }) => channelId === null);
    if (all === undefined) throw new Error('The count has no row for all devices.');
    const { countedAt, day, daily, yesterday, monthly } = all;
    const channels = new Map(
      rows.flatMap(({ channelId, ...row }) =>
        channelId === null
          ? []
          : [
              [
                channelId,
                { daily: row.daily, monthly: row.monthly, bundleId: row.bundleId, running: row.running },
              ],
            ],
      ),
    );
    return { countedAt, day, daily, yesterday, monthly, channels };
  }
}
