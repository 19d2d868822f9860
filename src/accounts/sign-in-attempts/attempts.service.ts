import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { sql } from '../../database/sql.js';
import { QueueService } from '../../queue/queue.service.js';

/** Longest time that failures delay the next attempt. */
const MAX_DELAY_SECONDS = 900;
/** Failures no longer count after this long without another attempt. */
const FAILURES_COUNT_FOR = '1 day';
/** A success counts this long: the address is known to the account. */
const KNOWN_FOR = '90 days';

/** Whether an attempt is allowed. */
export type Permit =
  | { readonly allowed: true; /** Whether an attempt succeeded here before. */ readonly known: boolean }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Slows down guessing. One statement counts an attempt before it is made, so that a hundred at once are not free; a
 * success takes it back. After some free failures each further one doubles the time until the next attempt.
 */
@Injectable()
export class AttemptsService implements OnModuleInit {
  constructor(private readonly queue: QueueService) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'sign-in-attempt-retention',
      cron: '40 * * * *',
      timeoutSeconds: 600,
      run: () => this.deleteExpired(),
    });
  }

  /**
   * Asks for one attempt, and counts it as failed until `release` or `succeed`.
   *
   * @param key what is guessed, and from where
   * @param free failures without delay
   */
  async take(key: readonly string[], free: number): Promise<Permit> {
    const [granted] = await sql<{ known: boolean }>(
      `INSERT INTO sign_in_attempts AS a (id, key, failures, blocked_until)
       VALUES ($1, $2, 1, now())
       ON CONFLICT (key) DO UPDATE SET
         failures = 1 + ${failures},
         blocked_until = now() + interval '1 second' *
           CASE WHEN 1 + ${failures} < $3::int THEN 0
                ELSE least(${MAX_DELAY_SECONDS}, power(2, least(30, 1 + ${failures} - $3::int))) END,
         updated_at = now()
       WHERE a.blocked_until <= now()
       RETURNING coalesce(succeeded_at > now() - interval '${KNOWN_FOR}', false) AS known`,
      [uuid(), hashOf(key), free],
    );
    if (granted !== undefined) return { allowed: true, known: granted.known };
    const [blocked] = await sql<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM blocked_until - now()))::int AS seconds
         FROM sign_in_attempts WHERE key = $1`,
      [hashOf(key)],
    );
    return { allowed: false, retryAfterSeconds: Math.max(1, blocked?.seconds ?? 1) };
  }

  /** Takes back an attempt that did not fail. Earlier failures still count. */
  async release(key: readonly string[]): Promise<void> {
    await sql(
      `UPDATE sign_in_attempts SET failures = greatest(0, failures - 1), blocked_until = now() WHERE key = $1`,
      [hashOf(key)],
    );
  }

  /** Drops all failures, and records that an attempt succeeded here. @returns whether one had before */
  async succeed(key: readonly string[]): Promise<boolean> {
    const [before] = await sql<{ known: boolean }>(
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

  private async deleteExpired(): Promise<void> {
    await sql(
      `DELETE FROM sign_in_attempts
        WHERE updated_at < now() - interval '${FAILURES_COUNT_FOR}'
          AND coalesce(succeeded_at < now() - interval '${KNOWN_FOR}', true)`,
    );
  }
}

/** The failures so far, in SQL. */
const failures = `CASE WHEN a.updated_at < now() - interval '${FAILURES_COUNT_FOR}' THEN 0 ELSE a.failures END`;

/** Keys hold names and addresses, so only their hash is stored. */
function hashOf(key: readonly string[]): string {
  return createHash('sha256').update(key.join('\0')).digest('hex');
}
