import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import { countDevices, type Grouping } from './count-devices.js';
import type { Days } from './days.js';
import { RollUpQueries } from './roll-up.queries.js';

/** Milliseconds for which a count is kept, so that many viewers cost as much as one. */
const MAX_AGE = 10_000;
/** Counts in memory. */
const MAX_COUNTS = 200;

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

interface Wanted {
  readonly appId: string;
  readonly day: string;
  readonly by: readonly Grouping[];
}

/**
 * Counts the devices of today for each request, by what it asks for: a pass over the devices that were seen in thirty
 * days. To count all apps each minute would cost more, mostly without a reader. Counts are at most ten seconds old.
 */
@Injectable()
export class CurrentCounts {
  private readonly counts = new LRUCache<string, readonly CurrentCount[], Wanted>({
    max: MAX_COUNTS,
    ttl: MAX_AGE,
    fetchMethod: (_key, _stale, { context }) => count(context),
  });

  constructor(private readonly rollUp: RollUpQueries) {}

  /** The counts of the days among these that are not counted yet: of today, and of yesterday until it is. */
  async of(appId: string, { from, to }: Days, by: readonly Grouping[]): Promise<CurrentCount[]> {
    const days = (await this.rollUp.uncountedDays(appId)).filter((day) => from <= day && day <= to);
    const counts = days.map((day) =>
      this.counts.forceFetch([appId, day, ...by].join(' '), { context: { appId, day, by } }),
    );
    return (await Promise.all(counts)).flat();
  }
}

function count({ appId, day, by }: Wanted): Promise<CurrentCount[]> {
  return sql(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, dimension, value, others, daily, weekly, monthly
       FROM (${countDevices(by)}) AS counted ORDER BY others, monthly DESC, value`,
    [appId, day],
  );
}
