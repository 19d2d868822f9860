import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { BackgroundTask } from '../../common/background/background-task.js';
import { Config } from '../../config/config.js';
import { Blob, type Damage } from './blob.entity.js';
import { BlobChecksService, type KnownBlob } from './blob-checks.service.js';
import { sql } from '../../database/sql.js';

/** How long after the start, and after it found nothing more to do, it looks again, in milliseconds. */
const FIRST_AFTER = 1000;
const AGAIN_AFTER = 60_000;
/** Read rate of one process, in bytes per second. */
const BYTES_PER_SECOND = 8 * 1024 * 1024;
/**
 * Minimum size that every file counts with, so that many small files do not keep the database busy: 32 files per
 * second.
 */
const BYTES_PER_FILE = BYTES_PER_SECOND / 32;
/** A process that has not finished a file after this long was killed. Reading 1 GiB takes about two minutes. */
const CLAIMED_FOR = '1 hour';

/** A condition on blobs: not verified for so many days, or damaged, since the storage may be back. */
const OLD = `verified_at < now() - $1 * interval '1 day'`;
const DAMAGED = `damaged_at IS NOT NULL AND verified_at < now() - interval '1 hour'`;

/** The damage of one file; `null`: none. */
export interface Finding extends KnownBlob {
  readonly problem: Damage | 'unreadable' | null;
}

/**
 * Rereads stored files slowly, starting with the longest unverified ones, to find decayed bytes before a device needs
 * them. Every replica takes part; each file is claimed by one of them.
 */
@Injectable()
export class ScrubberService extends BackgroundTask {
  private readonly logger = new Logger(ScrubberService.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly checks: BlobChecksService,
    private readonly config: Config,
  ) {
    super();
  }

  override start(): Promise<void> {
    if (this.config.storage.scrubIntervalDays > 0) this.schedule(FIRST_AFTER);
    return Promise.resolve();
  }

  override async stop(): Promise<void> {
    this.stopping.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  /** Verifies what is due, at a bounded rate, until nothing is or the process stops. */
  async scrubDue(): Promise<void> {
    for (let blob = await this.claim(); blob !== null; blob = await this.claim()) {
      await this.verifySlowly(blob);
      if (this.stopping.signal.aborted) return;
    }
  }

  /** Verifies every file at full speed. */
  async *scrubAll(): AsyncGenerator<Finding> {
    for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
      const blobs = await this.blobs.find({ where: { id: MoreThan(last) }, order: { id: 'ASC' }, take: 100 });
      for (const blob of blobs) yield { ...blob, problem: await this.read(blob) };
      const end = blobs.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => {
      this.running = this.scrubDue()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'Stored files could not be verified'))
        .finally(() => {
          if (!this.stopping.signal.aborted) this.schedule(AGAIN_AFTER);
        });
    }, after).unref();
  }

  private async claim(): Promise<KnownBlob | null> {
    return (await this.claimOf(OLD, [this.config.storage.scrubIntervalDays])) ?? this.claimOf(DAMAGED, []);
  }

  private async claimOf(due: string, parameters: unknown[]): Promise<KnownBlob | null> {
    const [row] = await sql<KnownBlob>(
      `UPDATE blobs SET scrub_started_at = now() WHERE id = (
         SELECT id FROM blobs
          WHERE ${due} AND coalesce(scrub_started_at < now() - interval '${CLAIMED_FOR}', true)
          ORDER BY verified_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, sha256, size_in_bytes AS "sizeInBytes", verified_at AS "verifiedAt"`,
      parameters,
    );
    return row ?? null;
  }

  private async verifySlowly(blob: KnownBlob): Promise<void> {
    const { signal } = this.stopping;
    const pace = (bytes: number): Promise<void> =>
      sleep((bytes / BYTES_PER_SECOND) * 1000, undefined, { signal, ref: false });
    try {
      await this.read(blob, pace);
      await pace(BYTES_PER_FILE);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async read(
    blob: KnownBlob,
    pace?: (bytes: number) => Promise<void>,
  ): Promise<Damage | 'unreadable' | null> {
    try {
      return await this.checks.verify(blob, pace);
    } catch (error) {
      if (this.stopping.signal.aborted) throw error;
      // This may not be damage: the storage may be unreachable. The claim ends by itself, then it is tried again.
      this.logger.error({ event: 'blob_unreadable', blobId: blob.id, err: error }, 'A file cannot be read');
      return 'unreadable';
    }
  }
}
