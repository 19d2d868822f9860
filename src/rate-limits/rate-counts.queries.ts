import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Deltas } from './window-counters.js';
import { sql } from '../database/sql.js';

/** Counts are of use for a minute; clocks of replicas may differ by some. */
const FORGOTTEN_AFTER = '5 minutes';

/** The counts that all replicas share. */
@Injectable()
export class RateCountsQueries {
  constructor(private readonly database: DataSource) {}

  /** Whether there is a database to talk to: not any more during the shutdown. */
  get isConnected(): boolean {
    return this.database.isInitialized;
  }

  /**
   * Adds what this replica has admitted, in one statement. Its rows are in order, so that replicas that add at once wait
   * for each other instead of deadlocking.
   *
   * @returns calls of all replicas, by key
   */
  async add({ window, counts }: Deltas): Promise<Map<string, number>> {
    const keys = new Map([...counts.keys()].map((key) => [hashOf(key), key]));
    const hashes = [...keys.keys()].sort();
    const rows = await sql<{ key: string; count: number }>(
      `INSERT INTO rate_counts AS counted (window_start, key, count)
       SELECT $1::timestamptz, sent.key, sent.count FROM unnest($2::text[], $3::int[]) AS sent (key, count)
       ON CONFLICT (window_start, key) DO UPDATE SET count = counted.count + excluded.count
       RETURNING key, count`,
      [new Date(window), hashes, hashes.map((hash) => counts.get(keys.get(hash) ?? ''))],
    );
    return new Map(rows.map(({ key, count }) => [keys.get(key) ?? '', count]));
  }

  /** Deletes windows that are long over; what another replica is deleting is left to it. */
  async clean(): Promise<void> {
    await sql(
      `DELETE FROM rate_counts WHERE (window_start, key) IN (
         SELECT window_start, key FROM rate_counts
          WHERE window_start < now() - interval '${FORGOTTEN_AFTER}' FOR UPDATE SKIP LOCKED)`,
    );
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
