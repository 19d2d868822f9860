import { Injectable } from '@nestjs/common';
import type { StorageFailure, StorageFailureReason } from '../common/errors/storage-failure.js';

/** How often requests to the storage of this process have failed. */
@Injectable()
export class StorageFailures {
  readonly counts: Record<StorageFailureReason, number> = { unavailable: 0, full: 0 };
  private readonly counted = new WeakSet<StorageFailure>();

  /** Counts a failure once, however often it is passed on. @returns the failure */
  count(failure: StorageFailure): StorageFailure {
    if (!this.counted.has(failure)) {
      this.counted.add(failure);
      this.counts[failure.reason]++;
    }
    return failure;
  }
}
