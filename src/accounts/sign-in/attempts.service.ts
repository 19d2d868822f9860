import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { sql } from '../../database/sql.js';

/** Longest time that failures delay the next attempt. */
const MAX_DELAY_SECONDS = 900;
/** Failures are forgotten after this long without another attempt. */
const FORGOTTEN_AFTER = '1 day';
/** A success is remembered this long: the address is known to the account. */
const KNOWN_FOR = '90 days';
/** One in so many attempts also removes what is forgotten. */
const CLEANED_EVERY = 100;

/** Whether an attempt may be made. */
export type Permit =
  | { readonly allowed: true; /** Whether an attempt succeeded here before. */ readonly known: boolean }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Slows down guessing. An attempt is counted before it is made, in one statement, so that a hundred at once are not
 * free; a success takes it back. After some free failures each one doubles the time until the next attempt.
 */
@Injectable()
export class AttemptsService {
  /**
   * Asks for one attempt, and counts it as failed until `release` or `succeed`.
   *
   * @param key what is guessed and by whom
   * @param free failures without delay
   */
  async take(key: readonly string[], free: number): Promise<Permit> {
    if (Math.random() * CLEANED_EVERY < 1) await this.clean();
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

  /** Takes back an attempt that was no failure; those before it still count. */
  async release(key: readonly string[]): Promise<void> {
    await sql(
      `UPDATE sign_in_attempts SET failures = greatest(0, failures - 1), blocked_until = now() WHERE key = $1`,
      [hashOf(key)],
    );
  }

  /** Forgets all failures, and remembers that somebody succeeded here. */
  async succeed(key: readonly string[]): Promise<void> {
    await sql(
      `UPDATE sign_in_attempts
          SET failures = 0, blocked_until = now(), succeeded_at = now(), updated_at = now()
        WHERE key = $1`,
      [hashOf(key)],
    );
  }

  private async clean(): Promise<void> {
    await sql(
      `DELETE FROM sign_in_attempts
        WHERE updated_at < now() - interval '${FORGOTTEN_AFTER}'
          AND coalesce(succeeded_at < now() - interval '${KNOWN_FOR}', true)`,
    );
  }
}

/** The failures so far, in SQL. */
const failures = `CASE WHEN a.updated_at < now() - interval '${FORGOTTEN_AFTER}' THEN 0 ELSE a.failures END`;

/** Names and addresses are not kept in readable form. */
function hashOf(key: readonly string[]): string {
  return createHash('sha256').update(key.join('\0')).digest('hex');
}
