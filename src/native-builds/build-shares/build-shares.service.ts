import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, type Repository } from 'typeorm';
import { hashPassword } from '../../accounts/passwords/password-hash.js';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { CountLimits } from '../../database/count-limits.js';
import { deleteOrThrow, findOrThrow, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildsPresenter } from '../builds/builds.presenter.js';
import { BuildsService } from '../builds/builds.service.js';
import { BuildShare } from './build-share.entity.js';
import type { CreateBuildShareDto, UpdateBuildShareDto } from './build-share.dto.js';

/** What a request sets of a share: its password is hashed already. */
export type ShareValues = Partial<Pick<BuildShare, 'description' | 'expiresAt' | 'passwordHash'>>;

@Injectable()
export class BuildSharesService {
  constructor(
    @InjectRepository(BuildShare) private readonly shares: Repository<BuildShare>,
    private readonly builds: BuildsService,
    private readonly presenter: BuildsPresenter,
    private readonly limits: CountLimits,
  ) {}

  /** All shares of a build, newest first, with those that have expired. @throws NotFoundError */
  async list(appId: string, buildId: string): Promise<BuildShare[]> {
    await this.builds.get(appId, buildId);
    return this.shares.find({ where: { buildId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** The columns of what a request sets. Takes long for a password: call it before the transaction. */
  async valuesOf(body: CreateBuildShareDto | UpdateBuildShareDto): Promise<ShareValues> {
    const { password, description, expiresAt } = body;
    return {
      ...(description === undefined ? {} : { description }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(password === undefined ? {} : { passwordHash: password && (await hashPassword(password)) }),
    };
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError when the job of the build has not succeeded, or the build has as many shares as the server allows
   */
  create(appId: string, buildId: string, values: ShareValues): Promise<BuildShare> {
    return transaction(async () => {
      const build = await this.builds.get(appId, buildId);
      const { job } = await this.presenter.presentOne(build, ['job']);
      if (job?.status !== 'succeeded') {
        const message = `Only a build that has succeeded can be shared: this one is ${job?.status ?? 'unknown'}.`;
        throw new ConflictError(message, 'build_not_succeeded');
      }
      await this.limits.requireRoom('sharesPerBuild', buildId, this.shares, { buildId });
      // The id is a secret, so all of it is random.
      return insertOrThrow(this.shares, { id: randomUUID(), buildId, ...values });
    });
  }

  /** @throws NotFoundError */
  async update(appId: string, buildId: string, id: string, changes: ShareValues): Promise<BuildShare> {
    await this.builds.get(appId, buildId);
    return updateOrThrow(this.shares, { buildId, id }, changes);
  }

  /** Ends a share, with every address of its downloads. @throws NotFoundError */
  async delete(appId: string, buildId: string, id: string): Promise<void> {
    await this.builds.get(appId, buildId);
    await deleteOrThrow(this.shares, { buildId, id });
  }

  /** A share that has not expired, of whatever build. @throws NotFoundError */
  findOpen(id: string): Promise<BuildShare> {
    return findOrThrow(this.shares, [
      { id, expiresAt: IsNull() },
      { id, expiresAt: MoreThan(databaseNow()) },
    ]);
  }
}
