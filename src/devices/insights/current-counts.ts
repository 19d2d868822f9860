import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { postgresErrorOf } from '../../database/postgres-error.js';
import type { Grouping } from './count-devices.js';
import type { Days } from './days.js';
import { type CurrentCount, RollUpQueries } from './roll-up.queries.js';

/** Milliseconds for which a count is kept, so that many viewers cost as much as one. */
const MAX_AGE = 10_000;
/** Counts in memory. */
const MAX_COUNTS = 200;

/** SQLSTATE of a statement that exceeded its limit. */
const QUERY_CANCELED = '57014';

interface Wanted {
  readonly appId: string;
  readonly day: string;
  readonly by: readonly Grouping[];
}

/**
 * Counts the devices of today for each request, by what it asks for: a pass over the devices that were seen in thirty
 * days. To count all apps each minute would cost more, mostly without a reader. Counts are at most ten seconds old. The
 * days of an app with so many devices that counting exceeds the limit of a statement are left out.
 */
@Injectable()
export class CurrentCounts {
  private readonly counts = new LRUCache<string, readonly CurrentCount[], Wanted>({
    max: MAX_COUNTS,
    ttl: MAX_AGE,
    fetchMethod: (_key, _stale, { context }) => this.count(context),
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

  private async count({ appId, day, by }: Wanted): Promise<CurrentCount[]> {
    try {
      return await this.rollUp.count(appId, day, by);
    } catch (error) {
      if (postgresErrorOf(error).code !== QUERY_CANCELED) throw error;
      return [];
    }
  }
}
