import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';

/** What is known about a key and the calls of the last hour. */
export interface KeyUse {
  /** Calls of the organization that asks. */
  readonly own: number;
  /** Calls of all organizations. */
  readonly all: number;
  /** Organizations with calls, and the one that asks. */
  readonly organizations: number;
  /** `null`: Apple has not said it. */
  readonly hourLimit: number | null;
  /** Calls that Apple has said are left, within the last minutes; `null`: it has not. */
  readonly remaining: number | null;
  /** Seconds for which Apple wants no call. */
  readonly pausedSeconds: number;
}

/** What `X-Rate-Limit` says: `user-hour-lim:3600;user-hour-rem:3545;`. */
export interface RateLimit {
  readonly hourLimit: number;
  readonly remaining: number;
}

/** Minutes for which Apple's word about what is left counts: other tools make calls, and old ones leave the hour. */
const REMAINING_MINUTES = 5;

/** SQL of the calls with keys of App Store Connect. */
@Injectable()
export class CallBudgetQueries {
  constructor(private readonly sql: Sql) {}

  /** The use of a key in the last hour. It locks nothing. */
  async useOf(keyHash: string, organizationId: string): Promise<KeyUse> {
    const [use] = await this.sql.query<KeyUse>(
      `WITH recent AS (
         SELECT * FROM apple_key_calls WHERE key_hash = $1 AND minute > now() - interval '1 hour'
       ), latest AS (
         SELECT hour_limit, remaining, answered_at FROM recent WHERE hour_limit IS NOT NULL
          ORDER BY answered_at DESC LIMIT 1
       )
       SELECT coalesce(sum(calls) FILTER (WHERE organization_id = $2), 0)::int AS own,
              coalesce(sum(calls), 0)::int AS "all",
              count(DISTINCT organization_id) FILTER (WHERE organization_id <> $2)::int + 1 AS organizations,
              (SELECT hour_limit FROM latest) AS "hourLimit",
              (SELECT remaining FROM latest
                WHERE answered_at > now() - interval '${REMAINING_MINUTES} minutes') AS remaining,
              greatest(coalesce(extract(epoch FROM max(paused_until) - now()), 0), 0)::float8 AS "pausedSeconds"
         FROM recent`,
      [keyHash, organizationId],
    );
    if (use === undefined) throw new Error('An aggregate has one row.');
    return use;
  }

  /** Counts a call that Apple has answered. The lock of the one row lasts as long as this statement. */
  async count(keyHash: string, organizationId: string, limit: RateLimit | null): Promise<void> {
    await this.sql.execute(
      `INSERT INTO apple_key_calls AS known
              (key_hash, minute, organization_id, calls, hour_limit, remaining, answered_at)
       VALUES ($1, date_trunc('minute', now()), $2, 1, $3, $4, clock_timestamp())
       ON CONFLICT (key_hash, minute, organization_id) DO UPDATE
          SET calls = known.calls + 1,
              hour_limit = coalesce(excluded.hour_limit, known.hour_limit),
              remaining = coalesce(excluded.remaining, known.remaining),
              answered_at = clock_timestamp()`,
      [keyHash, organizationId, limit?.hourLimit ?? null, limit?.remaining ?? null],
    );
  }

  /** Notes that Apple wants no calls for a time, if it has authenticated a call of the organization in the last hour. */
  async pause(keyHash: string, organizationId: string, seconds: number): Promise<void> {
    await this.sql.execute(
      `UPDATE apple_key_calls SET paused_until = greatest(paused_until, now() + make_interval(secs => $3))
        WHERE key_hash = $1 AND organization_id = $2
          AND minute = (SELECT max(minute) FROM apple_key_calls
                         WHERE key_hash = $1 AND organization_id = $2 AND minute > now() - interval '1 hour')`,
      [keyHash, organizationId, seconds],
    );
  }

  /** Deletes calls that left the hour long ago. @param size most rows @returns how many it deleted */
  deleteOld(size: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM apple_key_calls WHERE (key_hash, minute, organization_id) IN (
         SELECT key_hash, minute, organization_id FROM apple_key_calls
          WHERE minute < now() - interval '2 hours' LIMIT $1)`,
      [size],
    );
  }
}
