import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import {
  ALL,
  CHANNEL_AND_BUNDLE,
  dimensionNames,
  dimensions,
  MAX_PAIRS,
  MAX_VALUES,
  MIN_DEVICES_OF_COUNTRY,
} from './dimensions.js';
import { sql } from '../../database/sql.js';

/** Days that are made up for; a device's bits reach back that far and thirty days more. */
const MAX_DAYS_LATE = 31;

/** The day before today, UTC by the clock of the database. */
const YESTERDAY = `(now() AT TIME ZONE 'UTC')::date - 1`;

/** The first day of the app in $1 that was not counted yet. */
const NEXT_DAY = `greatest(${YESTERDAY} - ${MAX_DAYS_LATE - 1}, coalesce(
  (SELECT max(day) + 1 FROM device_counts WHERE app_id = app.id AND dimension IN ('${ALL}', 'start')),
  (app.created_at AT TIME ZONE 'UTC')::date))`;

/**
 * Whether a device was seen in the days that end with $2, by its bits: `late` is the number of days from $2 to when it
 * was seen last.
 */
const seenIn = (days: number): string =>
  `CASE WHEN late >= 0 THEN late <= 61 AND (seen_days >> least(late, 61)) & ((1::bigint << ${days}) - 1) <> 0
        ELSE late > -${days} END`;

const names = dimensionNames.map((name) => `"${name}"`);
const sets = ['()', ...names.map((name) => `(${name})`), '(channel, bundle)'];

/** Counts the devices of one app ($1) on one day ($2), all dimensions in one pass over those that were seen. */
const COUNT = `
  WITH device AS (
    SELECT ${dimensionNames.map((name) => `${dimensions[name]} AS "${name}"`).join(', ')}, seen_days,
           (last_seen_at AT TIME ZONE 'UTC')::date - $2::date AS late
      FROM devices
     WHERE app_id = $1 AND last_seen_at >= ($2::date - 29)::timestamp AT TIME ZONE 'UTC'
  ), seen AS (
    SELECT ${names.join(', ')}, ${seenIn(1)} AS daily, ${seenIn(7)} AS weekly, ${seenIn(30)} AS monthly
      FROM device
  ), counted AS (
    SELECT CASE WHEN grouping(channel) + grouping(bundle) = 0 THEN '${CHANNEL_AND_BUNDLE}'
                ${dimensionNames.map((name) => `WHEN grouping("${name}") = 0 THEN '${name}'`).join(' ')}
                ELSE '${ALL}' END AS dimension,
           CASE WHEN grouping(channel) + grouping(bundle) = 0 THEN channel || '/' || bundle
                ELSE coalesce(${names.join(', ')}, '') END AS value,
           count(*) FILTER (WHERE daily) AS daily, count(*) FILTER (WHERE weekly) AS weekly,
           count(*) FILTER (WHERE monthly) AS monthly
      FROM seen GROUP BY GROUPING SETS (${sets.join(', ')})
  ), ranked AS (
    SELECT counted.*, row_number() OVER (PARTITION BY dimension ORDER BY monthly DESC, value)
             > CASE dimension WHEN '${CHANNEL_AND_BUNDLE}' THEN ${MAX_PAIRS} ELSE ${MAX_VALUES} END
           OR dimension = 'country' AND value <> '' AND monthly < ${MIN_DEVICES_OF_COUNTRY} AS others
      FROM counted WHERE monthly > 0 OR dimension = '${ALL}'
  )
  INSERT INTO device_counts (app_id, dimension, day, others, value, daily, weekly, monthly)
  SELECT $1, dimension, $2, others, CASE WHEN others THEN '' ELSE value END, sum(daily), sum(weekly), sum(monthly)
    FROM ranked GROUP BY 2, 4, 5`;

/** Counts days, each once: the counts of a day appear together, and stay. */
@Injectable()
export class RollUpQueries {
  /** Apps that have days to count. */
  async dueApps(): Promise<string[]> {
    const rows = await sql<{ id: string }>(
      `SELECT id FROM apps AS app WHERE ${NEXT_DAY} <= ${YESTERDAY} ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Counts the next day of an app that has passed. Another process that does the same waits, and continues with the day after.
   *
   * @returns the day, such as `2026-03-14`; `null` when there is none
   */
  countNextDay(appId: string): Promise<string | null> {
    return transaction(async () => {
      // A million devices take seconds; ten times as many must not fail because of the limit for requests.
      await sql(`SET LOCAL statement_timeout = '30min'`);
      await sql(`SELECT pg_advisory_xact_lock(hashtextextended('device_counts ' || $1, 0))`, [appId]);
      const day = await this.nextDay(appId);
      if (day !== null) await sql(COUNT, [appId, day]);
      return day;
    });
  }

  private async nextDay(appId: string): Promise<string | null> {
    const [row] = await sql<{ day: string }>(
      `SELECT to_char(${NEXT_DAY}, 'YYYY-MM-DD') AS day FROM apps AS app
        WHERE id = $1 AND ${NEXT_DAY} <= ${YESTERDAY}`,
      [appId],
    );
    return row?.day ?? null;
  }
}
