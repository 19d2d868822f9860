import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobsQueries } from '../jobs/jobs.queries.js';
import { type JobLimit, JobLimitsQueries } from './job-limits.queries.js';

/** The limits of jobs that run on runners, which the operator sets. */
@Injectable()
export class JobLimitsService {
  constructor(
    private readonly queries: JobLimitsQueries,
    private readonly jobs: JobsQueries,
    private readonly config: Config,
  ) {}

  /**
   * Sets the limit of an organization. Jobs that run continue.
   *
   * @param limit 0: any number; `null`: that of the configuration
   * @throws NotFoundError
   */
  setOfOrganization(organizationId: string, limit: number | null): Promise<void> {
    return transaction(async () => {
      if (!(await this.queries.setOfOrganization(organizationId, limit)))
        throw new NotFoundError('Organization');
      await this.jobs.announce(organizationId);
    });
  }

  /**
   * As `setOfOrganization`, of an app.
   *
   * @param limit 0 and `null`: as many as the organization may
   */
  setOfApp(appId: string, limit: number | null): Promise<void> {
    return transaction(async () => {
      const organizationId = await this.queries.setOfApp(appId, limit);
      if (organizationId === null) throw new NotFoundError('App');
      await this.jobs.announce(organizationId);
    });
  }

  /** @throws NotFoundError */
  async ofOrganization(organizationId: string): Promise<JobLimit> {
    const found = await this.queries.ofOrganization(organizationId);
    if (found === null) throw new NotFoundError('Organization');
    return { ...found, limit: found.limit ?? this.config.runners.runningJobsPerOrganization };
  }

  /** @throws NotFoundError */
  async ofApp(appId: string): Promise<JobLimit> {
    const found = await this.queries.ofApp(appId);
    if (found === null) throw new NotFoundError('App');
    return found;
  }
}
