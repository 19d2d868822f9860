import { Injectable, Logger } from '@nestjs/common';
import { WINDOW_SECONDS } from './rate-limit-policy.js';
import { RateCountsQueries } from './rate-counts.queries.js';
import { type Verdict, WindowCounters } from './window-counters.js';

/** Keys that are counted in one window; about 60 MB when all are there. */
const MAX_KEYS = 100_000;
/** Keys that one statement carries; the others wait for the next. */
const KEYS_PER_STATEMENT = 10_000;
/** Milliseconds between the first call that is counted and telling the other replicas. */
const FLUSHED_AFTER = 1000;

/**
 * Counts in memory, and exchanges counts with the other replicas through the database: once a second, in one statement,
 * and only when something was counted. Without the database each replica counts for itself.
 */
@Injectable()
export class SharedCounters {
  private readonly logger = new Logger(SharedCounters.name);
  private readonly counters = new WindowCounters(WINDOW_SECONDS * 1000, MAX_KEYS);
  private timer: NodeJS.Timeout | undefined;
  private cleanedWindow = 0;
  /** So that a failure that lasts is logged once. */
  private failing = false;
  private fullWindow = 0;

  constructor(private readonly queries: RateCountsQueries) {}

  /** Counts one call, unless there were more than `quota` in this window. */
  take(key: string, quota: number): Verdict {
    const verdict = this.counters.take(key, quota, Date.now());
    this.schedule();
    return verdict;
  }

  private schedule(): void {
    if (this.timer !== undefined || !this.counters.isUnsent) return;
    this.timer = setTimeout(() => {
      void this.flush().finally(() => {
        this.timer = undefined;
        this.schedule();
      });
    }, FLUSHED_AFTER).unref();
  }

  private async flush(): Promise<void> {
    const deltas = this.counters.takeUnsent(KEYS_PER_STATEMENT, Date.now());
    if (deltas.counts.size === 0) return;
    this.warnWhenFull(deltas.window);
    try {
      this.counters.learn(deltas, await this.queries.add(deltas));
      if (this.failing) this.logger.log('Rate limits are shared with the other replicas again');
      this.failing = false;
      await this.cleanOncePerWindow(deltas.window);
    } catch (error) {
      this.counters.putBack(deltas);
      if (!this.failing && this.queries.isConnected) {
        this.logger.warn({ err: error }, 'Rate limits are not shared with the other replicas');
      }
      this.failing = true;
    }
  }

  private async cleanOncePerWindow(window: number): Promise<void> {
    if (this.cleanedWindow === window) return;
    this.cleanedWindow = window;
    await this.queries.clean().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'Old counts of rate limits were not deleted');
    });
  }

  private warnWhenFull(window: number): void {
    if (!this.counters.isFull || this.fullWindow === window) return;
    this.fullWindow = window;
    this.logger.warn({ keys: MAX_KEYS }, 'Rate limits count no further callers in this minute');
  }
}
