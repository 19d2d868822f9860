import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { Deltas } from './window-counters.js';

/** A window lasts a minute; the clocks of replicas may differ. */
const KEPT_FOR = '5 minutes';

/** The counts that all replicas share. */
@Injectable()
export class RateCountsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Adds the calls that this replica has admitted, in one statement. Its rows are in order, so that replicas that add at
   * the same time wait for each other instead of deadlocking.
   *
   * @returns calls of all replicas, by key
   */
  async add({ window, counts }: Deltas): Promise<Map<string, number>> {
    const keys = new Map([...counts.keys()].map((key) => [hashOf(key), key]));
    const hashes = [...keys.keys()].sort();
    const rows = await this.sql.query<{ key: string; count: number }>(
      `INSERT INTO rate_counts AS counted (window_start, key, count)
       SELECT $1::timestamptz, sent.key, sent.count FROM unnest($2::text[], $3::int[]) AS sent (key, count)
       ON CONFLICT (window_start, key) DO UPDATE SET count = counted.count + excluded.count
       RETURNING key, count`,
      [new Date(window), hashes, hashes.map((hash) => counts.get(keys.get(hash) ?? ''))],
    );
    return new Map(rows.map(({ key, count }) => [keys.get(key) ?? '', count]));
  }

  /** Deletes windows that are long over. */
  async deleteOld(): Promise<void> {
    await this.sql.query(`DELETE FROM rate_counts WHERE window_start < now() - interval '${KEPT_FOR}'`);
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
