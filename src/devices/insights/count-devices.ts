import { asciiDigitsOf } from '../../common/decimal-digits.js';
import {
  ALL,
  CHANNEL_AND_BUNDLE,
  type Dimension,
  dimensionNames,
  dimensions,
  MAX_PAIRS,
  MAX_VALUES,
  MIN_DEVICES_OF_COUNTRY,
} from './dimensions.js';

/**
 * Whether a device was seen in the days that end with $2, by its bits: `late` is the number of days from $2 to when it
 * was seen last.
 */
const seenIn = (days: number): string =>
  `CASE WHEN late >= 0 THEN late <= 61 AND (seen_days >> least(late, 61)) & ((1::bigint << ${days}) - 1) <> 0
        ELSE late > -${days} END`;

/** What a count groups by; `pair`: channel and bundle together; `all`: nothing. */
export type Grouping = Dimension | 'pair' | typeof ALL;

const sets: Readonly<Record<Grouping, string>> = {
  [ALL]: '()',
  pair: '(channel, bundle)',
  ...(Object.fromEntries(dimensionNames.map((name) => [name, `("${name}")`])) as Record<Dimension, string>),
};

/** All that a day is grouped by. */
export const groupings = Object.keys(sets) as Grouping[];

const columnsOf = (grouping: Grouping): readonly Dimension[] => {
  if (grouping === ALL) return [];
  return grouping === 'pair' ? ['channel', 'bundle'] : [grouping];
};

/**
 * A query that counts the devices of one app ($1) on one day ($2), such as `2026-03-14`, in one pass over those that were
 * seen in the thirty days that end with it. Its columns are those of `device_counts`.
 */
export function countDevices(by: readonly Grouping[] = groupings): string {
  const names = [...new Set(by.flatMap(columnsOf))];
  const single = by.filter((grouping) => grouping !== 'pair' && grouping !== ALL);
  const isPair = by.includes('pair') ? 'grouping(channel) + grouping(bundle) = 0' : 'false';
  const pair = by.includes('pair') ? `channel || '/' || bundle` : `''`;
  return `
  WITH device AS (
    SELECT ${names.map((name) => `${dimensions[name]} AS "${name}", `).join('')} seen_days,
           (last_seen_at AT TIME ZONE 'UTC')::date - $2::date AS late
      FROM devices
     WHERE app_id = $1 AND last_seen_at >= ($2::date - 29)::timestamp AT TIME ZONE 'UTC'
  ), seen AS (
    SELECT ${names.map((name) => `"${name}", `).join('')}
           ${seenIn(1)} AS daily, ${seenIn(7)} AS weekly, ${seenIn(30)} AS monthly
      FROM device
  ), counted AS (
    SELECT CASE WHEN ${isPair} THEN '${CHANNEL_AND_BUNDLE}'
                ${single.map((name) => `WHEN grouping("${name}") = 0 THEN '${name}'`).join(' ')}
                ELSE '${ALL}' END AS dimension,
           CASE WHEN ${isPair} THEN ${pair}
                ELSE coalesce(${names.map((name) => `"${name}", `).join('')}'') END AS value,
           count(*) FILTER (WHERE daily) AS daily, count(*) FILTER (WHERE weekly) AS weekly,
           count(*) FILTER (WHERE monthly) AS monthly
      FROM seen GROUP BY GROUPING SETS (${by.map((grouping) => sets[grouping]).join(', ')})
  ), valued AS (
    SELECT dimension, ${asciiDigitsOf('value')} AS value,
           sum(daily) AS daily, sum(weekly) AS weekly, sum(monthly) AS monthly
      FROM counted GROUP BY 1, 2
  ), ranked AS (
    SELECT valued.*, row_number() OVER (PARTITION BY dimension ORDER BY monthly DESC, value)
             > CASE dimension WHEN '${CHANNEL_AND_BUNDLE}' THEN ${MAX_PAIRS} ELSE ${MAX_VALUES} END
           OR dimension = 'country' AND value <> '' AND monthly < ${MIN_DEVICES_OF_COUNTRY} AS others
      FROM valued WHERE monthly > 0 OR dimension = '${ALL}'
  )
  SELECT $1::uuid AS app_id, dimension, $2::date AS day, others, CASE WHEN others THEN '' ELSE value END AS value,
         sum(daily)::int AS daily, sum(weekly)::int AS weekly, sum(monthly)::int AS monthly
    FROM ranked GROUP BY dimension, others, 5`;
}

/** Writes all counts of one app ($1) on one day ($2). */
export const WRITE_COUNTS = `
  INSERT INTO device_counts (app_id, dimension, day, others, value, daily, weekly, monthly) ${countDevices()}`;
