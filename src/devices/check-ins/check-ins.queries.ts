import { Injectable } from '@nestjs/common';
import { booleanArray, doubleArray, integerArray, textArray } from '../../database/binary-array.js';
import type { StoredCustomId } from './custom-ids.js';
import type { CheckIn } from './check-in.js';
import { sql } from '../../database/sql.js';

/**
 * Whether the device was offered the same the last time, in the same native version: an update from the store brings the
 * plugins back to its own bundle, which is no failure.
 */
const SAME = `(device.deployment_id = excluded.deployment_id
                AND device.app_version_code = excluded.app_version_code)`;

const dayOf = (column: string): string => `(${column} AT TIME ZONE 'UTC')::date`;

/** Days between the sighting before and this one. */
const DAYS_LATER = `(${dayOf('excluded.last_seen_at')} - ${dayOf('device.last_seen_at')})`;

/** The days on which the device was seen, with this one: the bits move on by a day each, and 62 of them are kept. */
const SEEN_DAYS = `CASE WHEN ${DAYS_LATER} <= 0 THEN device.seen_days
                        WHEN ${DAYS_LATER} > 61 THEN 1
                        ELSE ((device.seen_days << ${DAYS_LATER}) & ((1::bigint << 62) - 1)) | 1 END`;

/**
 * Ages are told apart by the clock of the database and the delay until it is asked. What is older than what is known by
 * more than that delay was held up, and another replica has seen the device since. (Times to come are those of a clock
 * that was ahead.)
 */
const UNORDERED = '5 seconds';

@Injectable()
export class CheckInsQueries {
  /**
   * Creates or updates the devices, in one statement, which also makes sure that custom ids are kept as each app wants
   * it by now. A channel that is forced on a device stays. Devices are written in the order of their keys: replicas that
   * write the same ones at once never wait for each other in a circle.
   *
   * @param sightings each of another device
   * @param customIds how theirs are to be stored
   * @returns how many are remembered: not those whose app is gone or has changed that, nor those that another replica
   *   has seen later
   */
  write(sightings: readonly CheckIn[], customIds: readonly StoredCustomId[]): Promise<number> {
    const numbers = numbered(sightings.map(({ state }) => state.json));
    const rows = sql<{ written: number }>(
      `WITH written AS (
         INSERT INTO devices AS device
                (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                 custom_id, custom_id_hashed, runtime, country, requested_channel_names,
                 channel_id, deployment_id, bundle_id, last_seen_at, offered_at, applied_at)
         SELECT apps.id, seen.id, platform, app_version_code, app_version_name, os_version, plugin_version,
                custom_id, custom_id_hashed, runtime, country, requested_channel_names,
                channel_id, deployment_id, bundle_id, at,
                CASE WHEN deployment_id IS NOT NULL THEN at END, CASE WHEN runs_offered THEN at END
           FROM unnest($2::int[], $3::text[], $4::float[], $5::text[], $6::boolean[])
                  AS seen (state_number, id, ago, custom_id, custom_id_hashed)
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
          CROSS JOIN LATERAL (SELECT now() - make_interval(secs => ago / 1000) AS at) AS time
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
         RETURNING 1
       )
       SELECT count(*)::int AS written FROM written`,
      [
        `[${[...numbers.keys()].join(',')}]`,
        integerArray(sightings.map(({ state }) => numbers.get(state.json) as number)),
        textArray(sightings.map(({ deviceId }) => deviceId)),
        doubleArray(agesOf(sightings)),
        textArray(customIds.map(({ value }) => value)),
        booleanArray(customIds.map(({ hashed }) => hashed)),
      ],
    );
    // Not awaited: what waits keeps its arguments, and a thousand sightings would become old objects.
    return rows.then(([result]) => result?.written ?? 0);
  }
}

/** Gives each different text a number, from 1 on, in the order in which they come. */
function numbered(texts: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size + 1);
  return numbers;
}

/** Milliseconds since each. */
function agesOf(sightings: readonly CheckIn[]): number[] {
  const now = performance.now();
  return sightings.map(({ seenAt }) => Math.round(now - seenAt));
}
