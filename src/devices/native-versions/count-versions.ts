import { asciiDigitsOf } from '../../common/decimal-digits.js';

/** Devices that must report a version; all of the platform, where there are fewer. */
const DEVICES = 5;
/** The share of the devices of the platform that must report it: at most so many versions of a platform are stored. */
const SHARE = 0.001;
/** Days on which they must. */
const DAYS = 2;
/** More are not counted. */
const MAX_DAYS = 10_000;

/** The clock of the database, not before another process is done. */
const NOW = 'statement_timestamp()';
/** UTC. */
const TODAY = `(${NOW} AT TIME ZONE 'UTC')::date`;

/** SQL of the devices of the app in $1 that count. */
export const ACTIVE_DEVICES = `FROM devices WHERE app_id = $1 AND last_seen_at >= ${NOW} - interval '30 days'`;
/** SQL of the version code that a device has reported, as it is stored. */
export const VERSION_CODE = asciiDigitsOf('app_version_code');

/**
 * The versions of the app in $1 that enough devices report, with the day of the last check-in of one. A check-in in the future,
 * from before a clock was corrected, makes no day. `devices_list_idx` has all of these columns.
 */
const COUNTED = `
  WITH reported AS MATERIALIZED (
    SELECT platform, ${VERSION_CODE} AS version_code, count(*)::int AS devices,
           (max(last_seen_at) FILTER (WHERE last_seen_at <= ${NOW}) AT TIME ZONE 'UTC')::date AS day
      ${ACTIVE_DEVICES} GROUP BY 1, 2
  ), counted AS MATERIALIZED (
    SELECT reported.* FROM reported
      JOIN (SELECT platform, sum(devices) AS devices FROM reported GROUP BY platform) AS total USING (platform)
     WHERE reported.devices >= greatest(least(${DEVICES}, total.devices), total.devices * ${SHARE})
       AND reported.day IS NOT NULL
  )`;

/** A day that is in the future is from before a clock was corrected. */
const NEW_DAYS = `least(known.days + CASE WHEN excluded.last_day > known.last_day OR known.last_day > ${TODAY}
                                         THEN 1 ELSE 0 END, ${MAX_DAYS})`;

/** Stores which versions enough devices of the app in $1 report, one row for each. */
export const WRITE_COUNTED = `
  ${COUNTED}, others AS (
    UPDATE native_versions AS known SET devices = 0, is_seen = false
     WHERE app_id = $1 AND devices > 0 AND NOT EXISTS (
           SELECT FROM counted
            WHERE counted.platform = known.platform AND counted.version_code = known.version_code)
  )
  INSERT INTO native_versions AS known (app_id, platform, version_code, devices, days, last_day, is_seen, is_news)
  SELECT $1, platform, version_code, devices, 1, day, false,
         EXISTS (SELECT FROM native_versions AS former
                  WHERE former.app_id = $1 AND former.platform = counted.platform AND former.first_seen_at IS NOT NULL)
    FROM counted
  ON CONFLICT (app_id, platform, version_code) DO UPDATE SET
    devices = excluded.devices,
    days = ${NEW_DAYS},
    last_day = CASE WHEN known.last_day > ${TODAY} THEN excluded.last_day
                    ELSE greatest(known.last_day, excluded.last_day) END,
    is_seen = ${NEW_DAYS} >= ${DAYS},
    first_seen_at = CASE WHEN ${NEW_DAYS} >= ${DAYS} THEN coalesce(known.first_seen_at, ${NOW}) ELSE known.first_seen_at END`;
