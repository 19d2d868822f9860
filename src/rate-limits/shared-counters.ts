import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BackgroundTask } from '../common/background/background-task.js';
import { WriteBehind } from '../database/write-behind.js';
import { QueueService } from '../queue/queue.service.js';
import { WINDOW_SECONDS } from './rate-limit-policy.js';
import { RateCountsQueries } from './rate-counts.queries.js';
import { type Verdict, WindowCounters } from './window-counters.js';

/** Keys that are counted in one window, about 60 MB in all. */
const MAX_KEYS = 100_000;
/** Keys in one statement; the others wait for the next. */
const KEYS_PER_STATEMENT = 10_000;
/** Time between the first counted call and its exchange with the other replicas, in milliseconds. */
const EXCHANGED_AFTER = 1000;

/**
 * Counts in memory, and exchanges counts with the other replicas through the database: once a second, in one statement,
 * and only when something was counted. Without the database each replica counts for itself.
 */
@Injectable()
export class SharedCounters extends BackgroundTask implements OnModuleInit {
  private readonly logger = new Logger(SharedCounters.name);
  private readonly counters = new WindowCounters(WINDOW_SECONDS * 1000, MAX_KEYS);
  private readonly exchanges = new WriteBehind(
    () => this.counters.unsentKeys,
    () => this.exchange(),
    EXCHANGED_AFTER,
  );
  private fullWindow = 0;

  constructor(
    private readonly queries: RateCountsQueries,
    private readonly queue: QueueService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.queue.schedule({
      name: 'rate-counts',
      cron: '*/5 * * * *',
      timeoutSeconds: 60,
      retryLimit: 0,
      run: () => this.queries.deleteOld(),
    });
  }

  /** Counts one call, unless this window has `quota` calls already. */
  take(key: string, quota: number): Verdict {
    const verdict = this.counters.take(key, quota, Date.now());
    this.exchanges.schedule();
    return verdict;
  }

  private async exchange(): Promise<boolean> {
    const { isFailing } = this.exchanges;
    const deltas = this.counters.takeUnsent(KEYS_PER_STATEMENT, Date.now());
    if (deltas.counts.size === 0) return !isFailing;
    this.warnWhenFull(deltas.window);
    try {
      this.counters.learn(deltas, await this.queries.add(deltas));
      if (isFailing) this.logger.log('Rate limits are shared with the other replicas again');
      return true;
    } catch (error) {
      this.counters.putBack(deltas);
      // A lasting failure is logged once.
      if (!isFailing) this.logger.warn({ err: error }, 'Rate limits are not shared with the other replicas');
      return false;
    }
  }

  override stop(): Promise<void> {
    return this.exchanges.stop();
  }

  private warnWhenFull(window: number): void {
    if (!this.counters.isFull || this.fullWindow === window) return;
    this.fullWindow = window;
    this.logger.warn({ keys: MAX_KEYS }, 'Rate limits count no further callers in this minute');
  }
}
