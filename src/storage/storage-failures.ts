import { Injectable, Logger } from '@nestjs/common';
import type { StorageFailure, StorageFailureReason } from '../common/errors/storage-failure.js';

/** Milliseconds in which one cause is logged once. */
const LOGGED_EVERY = 1000;
/** Causes that are remembered. */
const MAX_CAUSES = 100;

/** How often requests to the storage of this process have failed. */
@Injectable()
export class StorageFailures {
  private readonly logger = new Logger('Storage');
  readonly counts: Record<StorageFailureReason, number> = { unavailable: 0, full: 0 };
  private isMuted = false;
  private readonly counted = new WeakSet<StorageFailure>();
  /** When each cause was logged last. */
  private readonly logged = new Map<string, number>();

  /** Counts and logs a failure once, however often it is passed on. @returns the failure */
  count(failure: StorageFailure): StorageFailure {
    if (!this.counted.has(failure)) {
      this.counted.add(failure);
      this.counts[failure.reason]++;
      if (!this.isMuted) this.log(failure);
    }
    return failure;
  }

  /** Runs work whose failures are reported in another way than by the log. */
  async unlogged<R>(work: () => Promise<R>): Promise<R> {
    this.isMuted = true;
    try {
      return await work();
    } finally {
      this.isMuted = false;
    }
  }

  private log(failure: StorageFailure): void {
    const now = performance.now();
    if (now - (this.logged.get(failure.message) ?? -Infinity) < LOGGED_EVERY) return;
    if (this.logged.size >= MAX_CAUSES) this.logged.clear();
    this.logged.set(failure.message, now);
    const event = failure.reason === 'full' ? 'insufficient_storage' : 'storage_unavailable';
    this.logger.error({ err: failure, event }, failure.message);
  }
}
