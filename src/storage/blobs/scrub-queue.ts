import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';

/** Larger objects are verified by the scrubber, smaller ones by the request that reads them. In bytes. */
export const MAX_VERIFIED_BY_REQUEST = 8 * 1024 * 1024;

/** Blobs that wait at most. */
const MAX_WAITING = 10_000;

/**
 * Blobs that are in use and that the scrubber of this process verifies before all others. In memory: after a restart, the
 * next download asks again.
 */
@Injectable()
export class ScrubQueue {
  private readonly waiting = new Map<string, Date>();
  private wake = (): void => undefined;

  /** Sets what is called when a blob is added. */
  onAdded(wake: () => void): void {
    this.wake = wake;
  }

  /** @returns false: too many others wait */
  add(blobId: string): boolean {
    if (this.waiting.has(blobId)) return true;
    if (this.waiting.size >= MAX_WAITING) return false;
    this.waiting.set(blobId, databaseNow());
    this.wake();
    return true;
  }

  /** The blob that has waited longest, and since when. */
  first(): readonly [blobId: string, since: Date] | null {
    return this.waiting.entries().next().value ?? null;
  }

  delete(blobId: string): void {
    this.waiting.delete(blobId);
  }
}
