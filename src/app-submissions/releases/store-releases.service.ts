import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Raw, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { notSuspended } from '../../organizations/organizations/suspensions.js';
import type { Submission } from '../submissions/submission.entity.js';
import { ReleaseChanges, type ReleaseCause } from './release-changes.js';
import type { ReleaseLook } from './release-look.js';
import { StoreRelease } from './store-release.entity.js';

/** Where releases are in stores. */
@Injectable()
export class StoreReleases {
  constructor(
    @InjectRepository(StoreRelease) private readonly releases: Repository<StoreRelease>,
    private readonly changes: ReleaseChanges,
  ) {}

  /** Releases by the ids of their submissions; others are missing. */
  async getMany(ids: readonly string[]): Promise<Map<string, StoreRelease>> {
    if (ids.length === 0) return new Map();
    const found = await this.releases.findBy({ id: In([...ids]) });
    return new Map(found.map((release) => [release.id, release]));
  }

  /**
   * Releases whose look is late by so many seconds, the latest first. Those of suspended organizations wait.
   *
   * @param size most of them
   */
  late(seconds: number, size: number): Promise<StoreRelease[]> {
    return this.releases.find({
      where: { nextLookAt: LessThan(databaseNow(-1000 * seconds)), appId: Raw(isOfActive) },
      order: { nextLookAt: 'ASC' },
      take: size,
    });
  }

  /** Locks a release until the transaction ends. @returns `null`: there is none */
  lock(id: string): Promise<StoreRelease | null> {
    return this.releases.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Writes where a release is that a job has made or changed. It is new, or was locked. @param cause who wanted that */
  record(
    submission: Pick<Submission, 'id' | 'appId'>,
    look: ReleaseLook,
    cause: ReleaseCause,
  ): Promise<StoreRelease> {
    return this.write(submission, look, {}, cause);
  }

  /** Writes where the store says that a release is, which was locked. */
  see(submission: Pick<Submission, 'id' | 'appId'>, look: ReleaseLook): Promise<StoreRelease> {
    return this.write(submission, look, { lookedAt: databaseNow() }, { actor: 'store', userId: null });
  }

  /** Writes when the store is asked next, and what came of asking it. The release was locked. */
  async planLook(
    id: string,
    values: Partial<Pick<StoreRelease, 'nextLookAt' | 'failedLooks' | 'lookError' | 'message'>>,
  ): Promise<void> {
    await this.releases.update({ id }, values);
  }

  private write(
    { id, appId }: Pick<Submission, 'id' | 'appId'>,
    { status, message, storeStatus, link, ...shares }: ReleaseLook,
    looked: Partial<Pick<StoreRelease, 'lookedAt'>>,
    cause: ReleaseCause,
  ): Promise<StoreRelease> {
    return transaction(async () => {
      const known = await this.lock(id);
      const values = {
        status,
        statusSince: known?.status === status ? known.statusSince : databaseNow(),
        message,
        storeStatus,
        link,
        ...seenShares({ status, ...shares }, known),
        ...looked,
        failedLooks: 0,
        lookError: null,
      };
      const written =
        known === null
          ? await insertOrThrow(this.releases, { id, appId, ...values })
          : await updateOrThrow(this.releases, { id }, values);
      if (written.status !== known?.status || written.userFraction !== known.userFraction) {
        await this.changes.moved.notify(written, known, cause);
      }
      await this.changes.recorded.notify(written);
      return written;
    });
  }
}

type Shares = Pick<StoreRelease, 'userFraction' | 'resumeFraction'>;

/** The shares of a release after a look: shares that the store does not report keep their last known value. */
export function seenShares(
  look: Pick<ReleaseLook, 'status' | 'userFraction' | 'resumeFraction'>,
  known: StoreRelease | null,
): Shares {
  // One that a person has finished can be at any share: then none is known.
  if (look.status === 'released') return { userFraction: look.userFraction, resumeFraction: null };
  const userFraction = look.userFraction ?? known?.userFraction ?? null;
  if (look.status !== 'halted' && look.status !== 'paused') return { userFraction, resumeFraction: null };
  const before = look.resumeFraction ?? known?.resumeFraction ?? known?.userFraction ?? userFraction;
  return { userFraction, resumeFraction: before };
}

/** A condition on a column of app ids: their organization is not suspended. */
function isOfActive(column: string): string {
  return `${column} IN (SELECT app.id FROM apps AS app WHERE ${notSuspended('app.organization_id')})`;
}
