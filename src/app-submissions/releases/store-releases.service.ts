import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { findOrThrow, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Submission } from '../submissions/submission.entity.js';
import { ReleaseChanges } from './release-changes.js';
import type { ReleaseLook } from './release-look.js';
import { StoreRelease } from './store-release.entity.js';

/** Where releases are in stores. */
@Injectable()
export class StoreReleases {
  constructor(
    @InjectRepository(StoreRelease) private readonly releases: Repository<StoreRelease>,
    private readonly changes: ReleaseChanges,
  ) {}

  /** @throws NotFoundError when the store has no release of the app under this id */
  get(appId: string, id: string): Promise<StoreRelease> {
    return findOrThrow(this.releases, { appId, id });
  }

  /** Releases by the ids of their submissions; others are missing. */
  async getMany(ids: readonly string[]): Promise<Map<string, StoreRelease>> {
    if (ids.length === 0) return new Map();
    const found = await this.releases.findBy({ id: In([...ids]) });
    return new Map(found.map((release) => [release.id, release]));
  }

  /** Locks a release until the transaction ends. @returns `null`: there is none */
  lock(id: string): Promise<StoreRelease | null> {
    return this.releases.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Writes where a release is, which is new or was locked. */
  record({ id, appId }: Pick<Submission, 'id' | 'appId'>, look: ReleaseLook): Promise<StoreRelease> {
    return transaction(async () => {
      const known = await this.lock(id);
      const now = databaseNow();
      if (known === null) {
        const created = await insertOrThrow(this.releases, { id, appId, ...look, statusSince: now });
        await this.changes.moved.notify(created);
        return created;
      }
      const userFraction = look.userFraction ?? known.userFraction;
      const hasMoved = known.status !== look.status || known.userFraction !== userFraction;
      const statusSince = known.status === look.status ? known.statusSince : now;
      const resumeFraction = look.resumeFraction ?? known.resumeFraction;
      const values = { ...look, userFraction, resumeFraction, statusSince };
      const written = await updateOrThrow(this.releases, { id }, values);
      if (hasMoved) await this.changes.moved.notify(written);
      return written;
    });
  }
}
