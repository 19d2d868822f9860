import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';
import { Blob } from '../storage/blobs/blob.entity.js';
import { BlobChecksService } from '../storage/blobs/blob-checks.service.js';

/** Milliseconds for which a count holds, unless this process has found or repaired something itself. */
const MAX_AGE = 30_000;
/** Milliseconds that the database is waited for: whoever asks for metrics wants the others also when it does not answer. */
const PATIENCE = 2000;

/** How many stored files are known to be damaged, without asking the database each time. */
@Injectable()
export class DamagedFiles {
  private known: number | null = null;
  private validUntil = 0;
  private changes = 0;
  private counting: Promise<void> | null = null;

  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly checks: BlobChecksService,
  ) {}

  /** @returns `null` when the database does not tell in time. Never rejects. */
  async count(): Promise<number | null> {
    if (performance.now() < this.validUntil && this.changes === this.checks.changes) return this.known;
    this.counting ??= this.ask().finally(() => (this.counting = null));
    const timer = new AbortController();
    await Promise.race([
      this.counting,
      sleep(PATIENCE, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    return this.counting === null ? this.known : null;
  }

  private async ask(): Promise<void> {
    // Before the count: what changes meanwhile is counted again.
    this.changes = this.checks.changes;
    try {
      this.known = await this.blobs.countBy({ damagedAt: Not(IsNull()) });
      this.validUntil = performance.now() + MAX_AGE;
    } catch {
      this.known = null;
      this.validUntil = 0;
    }
  }
}
