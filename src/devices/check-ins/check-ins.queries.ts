import { Injectable } from '@nestjs/common';
import type { StoredCustomId } from './custom-ids.js';
import { type CheckIn, deviceIdOf, deviceKeyOf } from './check-in.js';
import { Sql } from '../../database/sql.js';

/**
 * Whether the device was offered the same deployment before, in the same native version. (After an update from the store,
 * the plugins return to the bundle of the store, which is no failure.)
 */
const SAME = `(device.deployment_id = excluded.deployment_id
                AND device.app_version_code = excluded.app_version_code)`;

const dayOf = (column: string): string => `(${column} AT TIME ZONE 'UTC')::date`;

/** Days between the check-in before and this one. */
const DAYS_LATER = `(${dayOf('excluded.last_seen_at')} - ${dayOf('device.last_seen_at')})`;

/** The days on which the device was seen, including this one: one bit for each day, 62 of them. */
const SEEN_DAYS = `CASE WHEN ${DAYS_LATER} <= 0 THEN device.seen_days
                        WHEN ${DAYS_LATER} > 61 THEN 1
                        ELSE ((device.seen_days << ${DAYS_LATER}) & ((1::bigint << 62) - 1)) | 1 END`;

/**
 * Times come from the clock of the database and the age of the check-in, and are inexact by the delay in between. A check-in
 * that is older than the stored one by more than that was delayed, and another replica has seen the device since. (A stored
 * time in the future comes from a clock that was ahead.)
 */
const UNORDERED = '5 seconds';

/** What a statement has written. */
export interface WrittenCheckIns {
  /** How many devices. */
  readonly count: number;
  /** Those that may have rolled a bundle back just now: their apps and, in the same order, their ids. `null`: none. */
  readonly rolledBackAppIds: readonly string[] | null;
  readonly rolledBackDeviceIds: readonly string[] | null;
  /** Those that were not known: their apps and, in the same order, their ids. `null`: none. */
  readonly newAppIds: readonly string[] | null;
  readonly newDeviceIds: readonly string[] | null;
}

const NOTHING: WrittenCheckIns = {
  count: 0,
  rolledBackAppIds: null,
  rolledBackDeviceIds: null,
  newAppIds: null,
  newDeviceIds: null,
};

/** A check-in is written half a second after it arrives, unless the database is away. */
const LATELY = '1 minute';

/** A row of `devices` has more bytes than this, even with empty texts. */
const MIN_ROW_BYTES = 100;

@Injectable()
export class CheckInsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Creates or updates the devices, in one statement, which also checks that custom ids are stored as each app's setting
   * says now. A channel that is forced on a device stays. Devices are written in the order of their keys, so that replicas
   * that write the same ones at once do not deadlock. The trigger `count_rollbacks` counts roll-backs in the same statement.
   *
   * @param checkIns all of different devices
   * @param customIds their custom ids in the form to store
   * @returns what was written: not those whose app is gone or has changed its setting, nor those that another
   *   replica has seen later
   */
  async write(checkIns: readonly CheckIn[], customIds: readonly StoredCustomId[]): Promise<WrittenCheckIns> {
    const numbers = numbered(checkIns.map(({ state }) => state.json));
    const now = performance.now();
    const [row] = await this.sql.query<WrittenCheckIns>(
      `WITH written AS (
         INSERT INTO devices AS device
                (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                 custom_id, custom_id_hashed, runtime, country, requested_channel_names,
                 channel_id, deployment_id, bundle_id, last_seen_at, offered_at, applied_at)
         SELECT apps.id, seen.id, platform, app_version_code, app_version_name, os_version, plugin_version,
                custom_id, custom_id_hashed, runtime, country, requested_channel_names,
                channel_id, deployment_id, bundle_id, at,
                CASE WHEN deployment_id IS NOT NULL THEN at END, CASE WHEN runs_offered THEN at END
           FROM json_to_recordset($2)
                  AS seen (state_number int, id text, age float, custom_id text, custom_id_hashed boolean)
           JOIN ROWS FROM (
                  json_to_recordset($1)
                    AS (app_id uuid, platform smallint, app_version_code text, app_version_name text,
                        os_version text, plugin_version text, runtime text, country text,
                        requested_channel_names text[], channel_id uuid, deployment_id uuid, bundle_id uuid,
                        runs_offered boolean)
                ) WITH ORDINALITY
                  AS state (app_id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            runtime, country, requested_channel_names, channel_id, deployment_id, bundle_id,
                            runs_offered, number)
             ON state.number = seen.state_number
           JOIN apps ON apps.id = state.app_id
                    AND (custom_id IS NULL OR apps.custom_id_hashing = custom_id_hashed)
          CROSS JOIN LATERAL (SELECT now() - make_interval(secs => age / 1000) AS at) AS time
          ORDER BY apps.id, seen.id
         ON CONFLICT (app_id, id) DO UPDATE SET
                platform = excluded.platform, app_version_code = excluded.app_version_code,
                app_version_name = excluded.app_version_name, os_version = excluded.os_version,
                plugin_version = excluded.plugin_version, custom_id = excluded.custom_id,
                custom_id_hashed = excluded.custom_id_hashed, runtime = excluded.runtime,
                country = excluded.country,
                requested_channel_names = excluded.requested_channel_names, channel_id = excluded.channel_id,
                deployment_id = excluded.deployment_id, bundle_id = excluded.bundle_id,
                last_seen_at = least(now(), greatest(device.last_seen_at, excluded.last_seen_at)), seen_days = ${SEEN_DAYS},
                offered_at = CASE WHEN ${SAME} THEN device.offered_at ELSE excluded.offered_at END,
                applied_at = CASE WHEN ${SAME} THEN coalesce(device.applied_at, excluded.applied_at)
                                  ELSE excluded.applied_at END,
                rolled_back_at = CASE WHEN ${SAME} THEN coalesce(device.rolled_back_at,
                                   CASE WHEN device.applied_at IS NOT NULL AND excluded.applied_at IS NULL
                                        THEN excluded.last_seen_at END) END,
                updated_at = now()
          WHERE device.last_seen_at NOT BETWEEN excluded.last_seen_at + interval '${UNORDERED}'
                                            AND now() + interval '${UNORDERED}'
         RETURNING app_id, id, rolled_back_at IS NOT NULL AS may_have_rolled_back,
                   created_at = now()::timestamptz(3) AS is_new
       )
       SELECT count(*)::int AS count,
              array_agg(app_id) FILTER (WHERE may_have_rolled_back) AS "rolledBackAppIds",
              array_agg(id) FILTER (WHERE may_have_rolled_back) AS "rolledBackDeviceIds",
              array_agg(app_id) FILTER (WHERE is_new) AS "newAppIds",
              array_agg(id) FILTER (WHERE is_new) AS "newDeviceIds"
         FROM written`,
      [
        `[${[...numbers.keys()].join(',')}]`,
        JSON.stringify(
          checkIns.map((checkIn, index) => ({
            state_number: numbers.get(checkIn.state.json),
            id: deviceIdOf(checkIn),
            age: Math.round(now - checkIn.seenAt),
            custom_id: customIds[index]?.value,
            custom_id_hashed: customIds[index]?.hashed,
          })),
        ),
      ],
    );
    return row ?? NOTHING;
  }

  /**
   * The current counts of devices whose roll-backs have changed lately, by app, in the form of `announce_rollbacks`.
   *
   * @param deviceIds as many as apps, in the same order
   */
  async recentRollbacks(appIds: readonly string[], deviceIds: readonly string[]): Promise<string[]> {
    const rows = await this.sql.query<{ payload: string }>(
      `SELECT app_id || ' ' || string_agg(encode(key, 'hex') || ':' || least(count - count_when_healthy, 999)
                                   || ':' || least(count, 999), ' ') AS payload
         FROM device_rollbacks
         JOIN unnest($1::uuid[], $2::text[]) AS device (app_id, device_id) USING (app_id, device_id)
        WHERE last_at > now() - interval '${LATELY}'
        GROUP BY app_id`,
      [appIds, deviceIds],
    );
    return rows.map(({ payload }) => payload);
  }

  /** The devices among these that are recorded, by `deviceKeyOf`. */
  async known(checkIns: readonly CheckIn[]): Promise<ReadonlySet<string>> {
    const rows = await this.sql.query<{ appId: string; id: string }>(
      `SELECT device.app_id AS "appId", device.id
         FROM unnest($1::uuid[], $2::text[]) AS seen (app_id, id)
         JOIN devices AS device ON device.app_id = seen.app_id AND device.id = seen.id`,
      [checkIns.map(({ state }) => state.appId), checkIns.map(deviceIdOf)],
    );
    return new Set(rows.map(({ appId, id }) => deviceKeyOf(appId, id)));
  }

  /**
   * Counts the devices of an app. A table that is too small for so many is not read.
   *
   * @param max where counting ends
   * @returns 0 when the table is too small for `max` devices
   */
  async countDevices(appId: string, max: number): Promise<number> {
    const [row] = await this.sql.query<{ devices: number }>(
      `SELECT CASE WHEN pg_relation_size('devices') < $2::bigint * ${MIN_ROW_BYTES} THEN 0
                   ELSE (SELECT count(*) FROM (SELECT FROM devices WHERE app_id = $1 LIMIT $2) AS device) END::int AS devices`,
      [appId, max],
    );
    return row?.devices ?? 0;
  }
}

/** Gives each different text a number, from 1 on, in the order in which they come. */
function numbered(texts: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size + 1);
  return numbers;
}
