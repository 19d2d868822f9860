import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';
import { findAbsence, findDamage, type Pace } from '../find-damage.js';
import { ObjectStorage } from '../object-storage.js';
import { Blob, type Damage } from './blob.entity.js';
import { BlobDamageQueries, type KnownBlob } from './blob-damage.queries.js';
import { BlobRepairsService } from './blob-repairs.service.js';
import { keyOf } from './blobs.service.js';

const MINUTE = 60_000;

/** How long a read counts, in minutes. */
const WINDOW = 60;

/** With fewer reads than this, every damage counts as that of a single file. */
const MIN_READS = 100;

/** Share of reads that may find damage. */
const MAX_SHARE = 0.01;
interface Reads {
  total: number;
  damaged: number;
}

/**
 * Tells damage of single files from a fault of the entire storage, such as another disk in its place: then more
 * than 1 % of the reads of an hour find damage, and files must no longer be marked as damaged.
 */
export class DamageLimit {
  /** The reads of each minute, by its number, the oldest first. */
  private readonly minutes = new Map<number, Reads>();

  /** Minutes that are remembered. */
  get size(): number {
    return this.minutes.size;
  }

  /** Counts one read. @param damaged whether it found damage that was not known @param now Unix milliseconds */
  count(damaged: boolean, now: number): void {
    this.forget(now);
    const minute = Math.floor(now / MINUTE);
    const reads = this.minutes.get(minute) ?? { total: 0, damaged: 0 };
    reads.total++;
    if (damaged) reads.damaged++;
    this.minutes.set(minute, reads);
  }

  /** Whether a read that finds damage now is still within the limit. @param now Unix milliseconds */
  allowsMore(now: number): boolean {
    this.forget(now);
    let total = 1;
    let damaged = 1;
    for (const reads of this.minutes.values()) {
      total += reads.total;
      damaged += reads.damaged;
    }
    return total < MIN_READS || damaged <= total * MAX_SHARE;
  }

  private forget(now: number): void {
    const oldest = Math.floor(now / MINUTE) - WINDOW;
    for (const minute of this.minutes.keys()) {
      if (minute > oldest) break;
      this.minutes.delete(minute);
    }
  }
}

/** After how long an object that was found damaged is looked at again before it is marked, in milliseconds. */
const CONFIRMED_AFTER = 1000;

/** How often the log repeats that too many files are damaged, in milliseconds. */
const ALERT_EVERY = 600_000;

/**
 * Compares stored bytes with their checksums and records the result. A failing storage is no damage: only wrong or
 * missing bytes are.
 */
@Injectable()
export class BlobChecksService {
  private readonly logger = new Logger(BlobChecksService.name);
  /** How often this process has found new damage, or a repair. */
  changes = 0;
  /** Files that this process has read, by new findings; `not_marked`: too many were damaged. */
  readonly outcomes = { sound: 0, damaged: 0, not_marked: 0 };
  private readonly limit = new DamageLimit();
  private alertedAt = -Infinity;

  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly queries: BlobDamageQueries,
    private readonly storage: ObjectStorage,
    private readonly repairs: BlobRepairsService,
  ) {}

  /** How many blobs are known to be damaged. */
  countDamaged(): Promise<number> {
    return this.blobs.countBy({ damagedAt: Not(IsNull()) });
  }

  /**
   * Checks that the bytes exist and have the right length, without reading them. Records problems.
   *
   * @returns `null`: they are
   */
  async checkPresence(blob: KnownBlob): Promise<Damage | null> {
    const damage = await this.confirm(() => findAbsence(this.storage, keyOf(blob.id), blob));
    return damage === null ? null : this.settle(blob, damage);
  }

  /**
   * Reads and compares all of the bytes, and records the result.
   *
   * @param pace is waited for after each piece, with its length in bytes
   * @returns `null`: they are as they should be
   */
  async verify(blob: KnownBlob, pace?: Pace): Promise<Damage | null> {
    return this.settle(blob, await this.confirm(() => findDamage(this.storage, keyOf(blob.id), blob, pace)));
  }

  /**
   * Reads a blob that is known to be damaged again, and records when it is sound.
   *
   * @returns `null`: it is
   */
  async verifyDamaged(blob: KnownBlob, pace?: Pace): Promise<Damage | null> {
    const damage = await findDamage(this.storage, keyOf(blob.id), blob, pace);
    return damage === null ? this.settle(blob, null) : damage;
  }

  /**
   * Repeats a check that has found damage a moment later, because a store, or the way to it, may fail for a single response.
   * What would not be marked is not looked at again: if everything is damaged, that would take too long.
   *
   * @returns what the later check has found
   */
  async confirm(check: () => Promise<Damage | null>): Promise<Damage | null> {
    const damage = await check();
    if (damage === null || !this.limit.allowsMore(Date.now())) return damage;
    await sleep(CONFIRMED_AFTER);
    return check();
  }

  /**
   * Counts an object that was read elsewhere: by a download, or a variant.
   *
   * @returns whether it may be marked, if it is damaged
   */
  countRead(damage: Damage | null): boolean {
    const now = Date.now();
    const mayMark = damage === null || this.limit.allowsMore(now);
    this.count(damage === null ? 'sound' : mayMark ? 'damaged' : 'not_marked', now);
    if (!mayMark) this.alert(now);
    return mayMark;
  }

  /**
   * Records a result, and repairs what is damaged if it can.
   *
   * @returns what is known of the blob now; `null` also when it is gone, which is no damage
   */
  private async settle(blob: KnownBlob, damage: Damage | null): Promise<Damage | null> {
    const now = Date.now();
    const mayMark = damage === null || this.limit.allowsMore(now);
    const former = await this.queries.record(blob, damage, mayMark);
    // Another process verified, repaired or deleted it in the meantime: its result wins.
    if (former === null) return (await this.blobs.findOneBy({ id: blob.id }))?.damage ?? null;
    const { wasDamaged } = former;
    if ((damage !== null) !== wasDamaged) this.changes++;
    const event = { blobId: blob.id, sha256: blob.sha256, damage };
    if (damage === null) {
      this.count('sound', now);
      if (wasDamaged) this.logger.log({ event: 'blob_sound', ...event }, 'A stored file is sound again');
      return null;
    }
    // Known damage says nothing new about the storage.
    if (!wasDamaged) this.count(mayMark ? 'damaged' : 'not_marked', now);
    if (!wasDamaged && !mayMark) {
      this.alert(now);
      return damage;
    }
    this.logger.error({ event: 'blob_damaged', ...event }, 'A stored file is damaged');
    if (!(await this.repairs.repairFromVariant(blob))) return damage;
    this.changes++;
    return null;
  }

  private count(outcome: keyof typeof this.outcomes, now: number): void {
    this.outcomes[outcome]++;
    this.limit.count(outcome !== 'sound', now);
  }

  private alert(now: number): void {
    if (now - this.alertedAt < ALERT_EVERY) return;
    this.alertedAt = now;
    this.logger.error(
      { event: 'damage_marking_stopped', ...this.outcomes },
      'More than 1 % of the stored files seem to be damaged: no more are marked. Check the storage.',
    );
  }
}
