import { Injectable, type OnModuleInit } from '@nestjs/common';
import { QueueService } from '../../queue/queue.service.js';
import { AttemptsQueries } from './attempts.queries.js';

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
  constructor(
    private readonly queries: AttemptsQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'sign-in-attempt-retention',
      cron: '40 * * * *',
      timeoutSeconds: 600,
      run: () => this.queries.deleteExpired(),
    });
  }

  /**
   * Asks for one attempt, and counts it as failed until `release` or `succeed`.
   *
   * @param key what is guessed, and from where
   * @param free failures without delay
   */
  async take(key: readonly string[], free: number): Promise<Permit> {
    const granted = await this.queries.take(key, free);
    if (granted !== null) return { allowed: true, known: granted.known };
    return { allowed: false, retryAfterSeconds: await this.queries.secondsBlocked(key) };
  }

  /** Takes back an attempt that did not fail. Earlier failures still count. */
  release(key: readonly string[]): Promise<void> {
    return this.queries.release(key);
  }

  /** Drops all failures, and records that an attempt succeeded here. @returns whether one had before */
  succeed(key: readonly string[]): Promise<boolean> {
    return this.queries.succeed(key);
  }
}
