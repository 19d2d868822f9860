import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';

/** Longest time that failures delay the next attempt. */
const MAX_DELAY_SECONDS = 900;
/** Failures no longer count after this long without another attempt. */
const FAILURES_COUNT_FOR = '1 day';
/** A success counts this long: the address is known to the account. */
const KNOWN_FOR = '90 days';

/** The failures so far. */
const FAILURES = `CASE WHEN a.updated_at < now() - interval '${FAILURES_COUNT_FOR}' THEN 0 ELSE a.failures END`;

/** SQL of attempts. A key says what is guessed, and from where. */
@Injectable()
export class AttemptsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Counts an attempt as failed, unless earlier failures delay it.
   *
   * @param free failures without delay
   * @returns whether an attempt succeeded here before; `null` when it is delayed
   */
  async take(key: readonly string[], free: number): Promise<{ known: boolean } | null> {
    const [granted] = await this.sql.query<{ known: boolean }>(
      `INSERT INTO sign_in_attempts AS a (id, key, failures, blocked_until)
       VALUES ($1, $2, 1, now())
       ON CONFLICT (key) DO UPDATE SET
         failures = 1 + ${FAILURES},
         blocked_until = now() + interval '1 second' *
           CASE WHEN 1 + ${FAILURES} < $3::int THEN 0
                ELSE least(${MAX_DELAY_SECONDS}, power(2, least(30, 1 + ${FAILURES} - $3::int))) END,
         updated_at = now()
       WHERE a.blocked_until <= now()
       RETURNING coalesce(succeeded_at > now() - interval '${KNOWN_FOR}', false) AS known`,
      [uuid(), hashOf(key), free],
    );
    return granted ?? null;
  }

  /** Seconds until the next attempt is allowed. */
  async secondsBlocked(key: readonly string[]): Promise<number> {
    const [blocked] = await this.sql.query<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM blocked_until - now()))::int AS seconds
         FROM sign_in_attempts WHERE key = $1`,
      [hashOf(key)],
    );
    return Math.max(1, blocked?.seconds ?? 1);
  }

  /** Takes back one failure. */
  async release(key: readonly string[]): Promise<void> {
    await this.sql.execute(
      `UPDATE sign_in_attempts SET failures = greatest(0, failures - 1), blocked_until = now() WHERE key = $1`,
      [hashOf(key)],
    );
  }

  /** Drops all failures, and records that an attempt succeeded here. @returns whether one had before */
  async succeed(key: readonly string[]): Promise<boolean> {
    const [before] = await this.sql.query<{ known: boolean }>(
      `WITH before AS (
         SELECT succeeded_at > now() - interval '${KNOWN_FOR}' AS known FROM sign_in_attempts WHERE key = $2
       )
       INSERT INTO sign_in_attempts (id, key, failures, blocked_until, succeeded_at)
       VALUES ($1, $2, 0, now(), now())
       ON CONFLICT (key) DO UPDATE
          SET failures = 0, blocked_until = now(), succeeded_at = now(), updated_at = now()
       RETURNING coalesce((SELECT known FROM before), false) AS known`,
      [uuid(), hashOf(key)],
    );
    return before?.known ?? false;
  }

  /** Deletes what counts no longer. */
  async deleteExpired(): Promise<void> {
    await this.sql.execute(
      `DELETE FROM sign_in_attempts
        WHERE updated_at < now() - interval '${FAILURES_COUNT_FOR}'
          AND coalesce(succeeded_at < now() - interval '${KNOWN_FOR}', true)`,
    );
  }
}

/** Keys hold names and addresses, so only their hash is stored. */
function hashOf(key: readonly string[]): string {
  return createHash('sha256').update(key.join('\0')).digest('hex');
}
