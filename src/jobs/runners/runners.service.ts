import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { hashToken } from '../../common/access/api-token.js';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CountLimits } from '../../database/count-limits.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { JobsQueries } from '../jobs/jobs.queries.js';
import type { CreateRunnerDto, IssuedRunner, UpdateRunnerDto } from './runner.dto.js';
import { Runner, RUNNERS_ORGANIZATION_FKEY } from './runner.entity.js';
import { generateRunnerToken } from './runner-token.js';
import { RunnersQueries } from './runners.queries.js';

const violations = { [RUNNERS_ORGANIZATION_FKEY]: () => new NotFoundError('Organization') };

/** The runners of organizations. They see those that serve all organizations, and cannot change them. */
@Injectable()
export class RunnersService {
  constructor(
    @InjectRepository(Runner) private readonly runners: Repository<Runner>,
    private readonly queries: RunnersQueries,
    private readonly leases: JobLeasesQueries,
    private readonly jobs: JobsQueries,
    private readonly counts: CountLimits,
  ) {}

  /** The runners that serve an organization: first its own, then those for all, oldest first. */
  list(organizationId: string, query: PageQuery): Promise<Page<Runner>> {
    const where = [{ organizationId }, { organizationId: IsNull() }];
    // PostgreSQL sorts NULL last.
    return findPage(this.runners, where, query, { organizationId: 'ASC', createdAt: 'ASC' });
  }

  /** A runner that serves an organization. @throws NotFoundError */
  get(organizationId: string, id: string): Promise<Runner> {
    return findOrThrow(this.runners, [
      { organizationId, id },
      { organizationId: IsNull(), id },
    ]);
  }

  /**
   * Registers a runner.
   *
   * @param organizationId `null`: for all organizations, which only the operator may do
   * @param createdBy `null`: the operator
   * @throws NotFoundError when the organization does not exist, or one of the apps is not its own
   * @throws ConflictError when the organization has as many runners as the server allows
   */
  async create(
    organizationId: string | null,
    createdBy: string | null,
    values: CreateRunnerDto,
  ): Promise<IssuedRunner> {
    await this.requireApps(organizationId, values.appIds ?? []);
    const { name, labels = [], platforms = null, appIds = null, expiresAt = null, paused = false } = values;
    const secret = generateRunnerToken();
    const limits = { labels, platforms, appIds, expiresAt, isPaused: paused };
    const row = { organizationId, createdBy, name, ...limits, ...columnsOf(secret) };
    return transaction(async () => {
      if (organizationId !== null && createdBy !== null) {
        await this.counts.requireRoom('runnersPerOrganization', organizationId, this.runners, {
          organizationId,
        });
      }
      return { runner: await insertOrThrow(this.runners, row, violations), secret };
    });
  }

  /**
   * Changes a runner, from its next job on.
   *
   * @throws NotFoundError also when one of the apps is not of the organization
   */
  async update(organizationId: string, id: string, changes: UpdateRunnerDto): Promise<Runner> {
    await this.requireApps(organizationId, changes.appIds ?? []);
    const { name, labels, platforms, appIds, expiresAt, paused } = changes;
    return transaction(async () => {
      const columns = { name, labels, platforms, appIds, expiresAt, isPaused: paused };
      const runner = await updateOrThrow(this.runners, { organizationId, id }, columns);
      // It may take jobs now that it could not take before.
      await this.jobs.announce(organizationId);
      return runner;
    });
  }

  /**
   * Gives a runner a new token, as `TokensService.rotate` does.
   *
   * @param overlapSeconds how long the old token stays valid
   * @throws NotFoundError
   */
  async rotate(organizationId: string, id: string, overlapSeconds: number): Promise<IssuedRunner> {
    const secret = generateRunnerToken();
    return transaction(async () => {
      const { hash } = await lockOrThrow(this.runners, { organizationId, id });
      const previous =
        overlapSeconds === 0
          ? { previousHash: null, previousExpiresAt: null }
          : { previousHash: hash, previousExpiresAt: databaseNow(overlapSeconds * 1000) };
      const runner = await updateOrThrow(
        this.runners,
        { organizationId, id },
        { ...columnsOf(secret), ...previous },
      );
      return { runner, secret };
    });
  }

  /**
   * Deletes a runner. Jobs that it has not started go back immediately; those that it runs lose their leases, and start
   * once more on another runner.
   *
   * @throws NotFoundError
   */
  async delete(organizationId: string, id: string): Promise<void> {
    await transaction(async () => {
      await deleteOrThrow(this.runners, { organizationId, id });
      await this.leases.giveBack('lease.runner_id = $1', [id]);
      await this.leases.expireByRunner(id);
      await this.jobs.announce(organizationId);
    });
  }

  private async requireApps(organizationId: string | null, appIds: readonly string[]): Promise<void> {
    if (appIds.length === 0) return;
    if (organizationId === null || !(await this.queries.areApps(organizationId, appIds))) {
      throw new NotFoundError('App');
    }
  }
}

/** What a row keeps of a token. */
function columnsOf(secret: string): { hash: string; lastFour: string } {
  return { hash: hashToken(secret), lastFour: secret.slice(-4) };
}
