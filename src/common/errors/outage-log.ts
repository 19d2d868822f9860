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
  add(error: DatabaseUnavailableError, task = 'Requests'): void {
    const key = `${task}: ${error.reason}`;
    const waiting = this.unlogged.get(key);
    if (waiting !== undefined) {
      this.unlogged.set(key, waiting + 1);
      return;
    }
    this.write(task, error, 1);
    this.startSecond(key, task, error);
  }

  private startSecond(key: string, task: string, error: DatabaseUnavailableError): void {
    this.unlogged.set(key, 0);
    setTimeout(() => {
      const count = this.unlogged.get(key) ?? 0;
      this.unlogged.delete(key);
      if (count === 0) return;
      this.write(task, error, count);
      this.startSecond(key, task, error);
    }, SECOND).unref();
  }

  private write(task: string, { reason, detail }: DatabaseUnavailableError, count: number): void {
    this.logger.error({ task, reason, detail, count }, 'The database is not available');
  }
}

/** The log of this process. */
export const outageLog = new OutageLog();
