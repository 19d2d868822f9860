import { Logger } from '@nestjs/common';
import type { DatabaseUnavailableError } from './database-unavailable.error.js';

/** Milliseconds. */
const SECOND = 1000;

/**
 * Logs failures that many requests and background tasks share: for each cause one line a second at most, with the number
 * of failures.
 */
class OutageLog {
  private readonly logger = new Logger('Database');
  /** Failures by cause since its last line. */
  private readonly unlogged = new Map<string, number>();

  /** @param task what failed: `Requests`, or the name of a background task */
  add({ reason }: DatabaseUnavailableError, task = 'Requests'): void {
    const key = `${task}: ${reason}`;
    const waiting = this.unlogged.get(key);
    if (waiting !== undefined) {
      this.unlogged.set(key, waiting + 1);
      return;
    }
    this.write(task, reason, 1);
    this.startSecond(key, task, reason);
  }

  private startSecond(key: string, task: string, reason: string): void {
    this.unlogged.set(key, 0);
    setTimeout(() => {
      const count = this.unlogged.get(key) ?? 0;
      this.unlogged.delete(key);
      if (count === 0) return;
      this.write(task, reason, count);
      this.startSecond(key, task, reason);
    }, SECOND).unref();
  }

  private write(task: string, reason: string, count: number): void {
    this.logger.error({ task, reason, count }, 'The database is not available');
  }
}

/** The log of this process. */
export const outageLog = new OutageLog();
