import { Injectable } from '@nestjs/common';
import { orAfter } from '../common/background/or-after.js';
import { BlobChecksService } from '../storage/blobs/blob-checks.service.js';

/** How long a count is used, in milliseconds, unless this process finds or repairs damage itself. */
const MAX_AGE = 30_000;
/** How long a count may take, in milliseconds: the other metrics must not wait longer for the database. */
const TIMEOUT = 2000;

/** Counts the stored files that are known to be damaged, and caches the count. */
@Injectable()
export class DamagedFiles {
  private known: number | null = null;
  private validUntil = 0;
  private changes = 0;
  private counting: Promise<void> | null = null;

  constructor(private readonly checks: BlobChecksService) {}

  /** @returns `null` when the database does not respond in time. Never rejects. */
  async count(): Promise<number | null> {
    if (performance.now() < this.validUntil && this.changes === this.checks.changes) return this.known;
    this.counting ??= this.query().finally(() => (this.counting = null));
    await orAfter(this.counting, TIMEOUT, undefined);
    return this.counting === null ? this.known : null;
  }

  private async query(): Promise<void> {
    // Read before the count, so that a change during the count causes another one.
    this.changes = this.checks.changes;
    try {
      this.known = await this.checks.countDamaged();
      this.validUntil = performance.now() + MAX_AGE;
    } catch {
      this.known = null;
      this.validUntil = 0;
    }
  }
}
