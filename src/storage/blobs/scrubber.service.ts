import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { Config } from '../../config/config.js';
import type { Pace } from '../find-damage.js';
import { Blob, type Damage } from './blob.entity.js';
import { BlobChecksService } from './blob-checks.service.js';
import { BlobDamageQueries, type KnownBlob } from './blob-damage.queries.js';
import { ScrubQueue } from './scrub-queue.js';

/** How long it rests when nothing is due, in milliseconds. */
const REST = 60_000;
/** Read rate of one process, in bytes per second. */
const BYTES_PER_SECOND = 8 * 1024 * 1024;
/**
 * Minimum size that every file counts with, so that many small files do not keep the database busy: 32 files per
 * second.
 */
const BYTES_PER_FILE = BYTES_PER_SECOND / 32;
/** The damage of one file; `null`: none. */
export interface Finding extends KnownBlob {
  readonly problem: Damage | 'unreadable' | null;
}

/** Verifies what was made of a blob. */
type Companion = (blob: KnownBlob, pace: Pace | undefined) => Promise<void>;

/**
 * Rereads stored files slowly, starting with the longest unverified ones, to find decayed bytes before a device needs
 * them. Every replica takes part; each file is claimed by one of them.
 */
@Injectable()
export class ScrubberService extends BackgroundLoop {
  private readonly companions: Companion[] = [];

  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly queries: BlobDamageQueries,
    private readonly checks: BlobChecksService,
    private readonly queue: ScrubQueue,
    private readonly config: Config,
  ) {
    super();
    queue.onAdded(() => this.wake());
  }

  /** Registers what is read with each blob. Before the start, in `onModuleInit`. */
  readWith(companion: Companion): void {
    this.companions.push(companion);
  }

  /** Verifies every file at full speed. */
  async *scrubAll(): AsyncGenerator<Finding> {
    for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
      const blobs = await this.blobs.find({ where: { id: MoreThan(last) }, order: { id: 'ASC' }, take: 100 });
      for (const blob of blobs) yield { ...blob, problem: await this.read(blob, null) };
      const end = blobs.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  }

  /** Verifies what was requested, then what is due, at a bounded rate. */
  protected override async round(stopping: AbortSignal): Promise<number> {
    try {
      while (!stopping.aborted) {
        const blob = (await this.claimRequested()) ?? (await this.claimDue());
        if (blob === null) break;
        await this.read(blob, stopping);
        await pace(BYTES_PER_FILE, stopping);
      }
    } catch (error) {
      if (!stopping.aborted) throw error;
    }
    return REST;
  }

  private async claimRequested(): Promise<KnownBlob | null> {
    for (let next = this.queue.first(); next !== null; next = this.queue.first()) {
      const blob = await this.queries.claimRequested(...next);
      this.queue.delete(next[0]);
      if (blob !== null) return blob;
    }
    return null;
  }

  /** `SCRUB_INTERVAL_DAYS=0`: only what was requested is read. */
  private claimDue(): Promise<KnownBlob | null> {
    const days = this.config.storage.scrubIntervalDays;
    return days > 0 ? this.queries.claimDue(days) : Promise.resolve(null);
  }

  /** @param stopping aborts reading at a bounded rate; `null`: read at full speed */
  private async read(blob: KnownBlob, stopping: AbortSignal | null): Promise<Damage | 'unreadable' | null> {
    const paced = stopping === null ? undefined : (bytes: number) => pace(bytes, stopping);
    try {
      const damage = await this.checks.verify(blob, paced);
      for (const companion of this.companions) await companion(blob, paced);
      return damage;
    } catch (error) {
      if (stopping?.aborted) {
        await this.queries.unclaim(blob);
        throw error;
      }
      // This may not be damage: the storage may be unreachable. The claim expires, then it is tried again.
      this.logger.error({ event: 'blob_unreadable', blobId: blob.id, err: error }, 'A file cannot be read');
      return 'unreadable';
    }
  }
}

/** Waits for as long as so many bytes take. @throws Error immediately when the signal is aborted */
function pace(bytes: number, signal: AbortSignal): Promise<void> {
  return sleep((bytes / BYTES_PER_SECOND) * 1000, undefined, { signal, ref: false });
}
