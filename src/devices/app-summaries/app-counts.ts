import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BackgroundTask } from '../../common/background/background-task.js';
import { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { outsideTransaction } from '../../database/transactions/transaction.js';
import { type AppCount, AppCountsQueries } from './app-counts.queries.js';

/** Milliseconds after which a count is renewed, and after a change of what the app delivers. */
const RENEWED_AFTER = 10_000;
const RENEWED_AFTER_CHANGE = 2000;
/** A count begins at the earliest after so many times as long as the last one took. */
const REST = 4;
/** Channels in memory, of all apps: about 20 MB. */
const MAX_CHANNELS = 100_000;

/** SQLSTATE of a statement that exceeded its limit. */
const QUERY_CANCELED = '57014';

/** The last count of an app, and when the next one may begin. */
interface Kept {
  count: AppCount | null;
  /** `performance.now()` at the start of the last count. */
  startedAt: number;
  /** Infinite while one is running. */
  dueAt: number;
  /** Whether what the app delivers has changed since the last count began. */
  isOutdated: boolean;
}

/**
 * Counts the devices of apps that someone looks at, in the background: a request gets the last count and starts the next
 * one when it is due. The counts of an app that no one asks for are not renewed.
 */
@Injectable()
export class AppCounts extends BackgroundTask {
  private readonly logger = new Logger(AppCounts.name);
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_CHANNELS,
    sizeCalculation: ({ count }) => (count?.channels.size ?? 0) + 1,
  });
  private readonly running = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly queries: AppCountsQueries,
    private readonly limits: Limits,
  ) {
    super();
  }

  /** The last count; `null`: there is none yet. Starts another one if that is due. */
  of(appId: string, organizationId: string): AppCount | null {
    const kept = this.kept.get(appId) ?? { count: null, startedAt: 0, dueAt: 0, isOutdated: false };
    const now = performance.now();
    if (now >= kept.dueAt && !this.isStopping) {
      kept.startedAt = now;
      kept.dueAt = Infinity;
      kept.isOutdated = false;
      this.kept.set(appId, kept);
      const running = outsideTransaction(() => this.renew(appId, organizationId, kept));
      this.running.add(running);
      void running.then(() => this.running.delete(running));
    }
    return kept.count;
  }

  /** What the app delivers has changed: its count is renewed soon. */
  outdate(appId: string): void {
    const kept = this.kept.peek(appId);
    if (kept === undefined) return;
    kept.isOutdated = true;
    if (kept.dueAt !== Infinity) kept.dueAt = Math.min(kept.dueAt, kept.startedAt + RENEWED_AFTER_CHANGE);
  }

  override async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  /** Never rejects: when it fails, the last count stays. */
  private async renew(appId: string, organizationId: string, kept: Kept): Promise<void> {
    let took = 0;
    try {
      kept.count = await this.limits.run('app-counts', organizationId, async () => {
        const began = performance.now();
        return this.queries.count(appId).finally(() => (took = performance.now() - began));
      });
    } catch (err) {
      const isExpected =
        err instanceof ServerBusyError ||
        unavailableReason(err) !== null ||
        postgresErrorOf(err).code === QUERY_CANCELED;
      if (!isExpected) this.logger.warn({ err, appId }, 'The devices of an app could not be counted');
    }
    const age = kept.isOutdated ? RENEWED_AFTER_CHANGE : RENEWED_AFTER;
    kept.dueAt = Math.max(kept.startedAt + age, performance.now() + REST * took);
    // Its size has changed.
    if (this.kept.peek(appId) === kept) this.kept.set(appId, kept);
  }
}
