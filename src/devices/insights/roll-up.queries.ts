import { Injectable } from '@nestjs/common';
import { allowStatements, transaction } from '../../database/transactions/transaction.js';
import { countDevices, type Grouping, WRITE_COUNTS } from './count-devices.js';
import { ALL } from './dimensions.js';
import { Sql } from '../../database/sql.js';

/** Days that are made up for; a device's bits reach back that far and thirty days more. */
const MAX_DAYS_LATE = 31;

/** How long the devices of an app may take to count, in milliseconds. */
const LONGEST_COUNT = 1_800_000;

/** UTC by the clock of the database. */
const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const YESTERDAY = `${TODAY} - 1`;

/** The first day of the app in $1 that was not counted yet. */
const NEXT_DAY = `greatest(${YESTERDAY} - ${MAX_DAYS_LATE - 1}, coalesce(
  (SELECT max(day) + 1 FROM device_counts WHERE app_id = app.id AND dimension IN ('${ALL}', 'start')),
  (app.created_at AT TIME ZONE 'UTC')::date))`;

/** How many devices had a value on a day that is not over, or not counted yet. */
export interface CurrentCount {
  /** Such as `2026-03-14`. */
  readonly day: string;
  readonly dimension: string;
  /** Empty: none. */
  readonly value: string;
  readonly others: boolean;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/** Counts days, each once: the counts of a day appear together, and stay. */
@Injectable()
export class RollUpQueries {
  constructor(private readonly sql: Sql) {}

  /** Apps that have days to count. */
  async dueApps(): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
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
      await allowStatements(LONGEST_COUNT);
      await this.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('device_counts ' || $1, 0))`, [
        appId,
      ]);
      const day = await this.nextDay(appId);
      if (day !== null) await this.sql.query(WRITE_COUNTS, [appId, day]);
      return day;
    });
  }

  /** Today, and yesterday until it is counted, such as `2026-03-14`. Older days that are late are left out. */
  async uncountedDays(appId: string): Promise<string[]> {
    const rows = await this.sql.query<{ day: string }>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day
         FROM apps AS app, generate_series(greatest(${NEXT_DAY}, ${YESTERDAY}), ${TODAY}, interval '1 day') AS day
        WHERE app.id = $1 ORDER BY day`,
      [appId],
    );
    return rows.map(({ day }) => day);
  }

  /** Counts the devices of a day without storing the counts. */
  count(appId: string, day: string, by: readonly Grouping[]): Promise<CurrentCount[]> {
    return this.sql.query(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, dimension, value, others, daily, weekly, monthly
         FROM (${countDevices(by)}) AS counted ORDER BY others, monthly DESC, value`,
      [appId, day],
    );
  }

  private async nextDay(appId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ day: string }>(
      `SELECT to_char(${NEXT_DAY}, 'YYYY-MM-DD') AS day FROM apps AS app
        WHERE id = $1 AND ${NEXT_DAY} <= ${YESTERDAY}`,
      [appId],
    );
    return row?.day ?? null;
  }
}
