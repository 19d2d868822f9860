import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { announceJobs } from '../jobs/announce-jobs.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';

/** How many jobs may run on runners, and do. */
export interface JobLimit {
  readonly queued: number;
  readonly running: number;
  /** 0: any number. */
  readonly limit: number;
}

/** The limits of jobs that run on runners, which the operator sets. */
@Injectable()
export class JobLimitsService {
  constructor(private readonly config: Config) {}

  /**
   * Sets the limit of an organization. Jobs that run go on.
   *
   * @param limit 0: any number; `null`: that of the configuration
   * @throws NotFoundError
   */
  setOfOrganization(organizationId: string, limit: number | null): Promise<void> {
    return transaction(async () => {
      const found = await sql(
        `INSERT INTO job_queues (organization_id, running_limit) SELECT id, $2 FROM organizations WHERE id = $1
         ON CONFLICT (organization_id) DO UPDATE SET running_limit = excluded.running_limit RETURNING 1`,
        [organizationId, limit],
      );
      if (found.length === 0) throw new NotFoundError('Organization');
      await announceJobs(organizationId);
    });
  }

  /**
   * As `setOfOrganization`, of an app.
   *
   * @param limit 0 and `null`: as many as the organization may
   */
  setOfApp(appId: string, limit: number | null): Promise<void> {
    return transaction(async () => {
      const [app] = await sql<{ organizationId: string }>(
        'SELECT organization_id AS "organizationId" FROM apps WHERE id = $1',
        [appId],
      );
      if (app === undefined) throw new NotFoundError('App');
      await sql(
        `INSERT INTO job_queue_apps (app_id, running_limit) VALUES ($1, $2)
         ON CONFLICT (app_id) DO UPDATE SET running_limit = excluded.running_limit`,
        [appId, limit],
      );
      await announceJobs(app.organizationId);
    });
  }

  /** @throws NotFoundError */
  async ofOrganization(organizationId: string): Promise<JobLimit> {
    const [found] = await sql<Omit<JobLimit, 'limit'> & { readonly limit: number | null }>(
      `SELECT queue.running_limit AS limit,
              (SELECT count(*) FROM jobs WHERE organization_id = $1 AND status = 'queued' AND ${FOR_RUNNERS}) AS queued,
              (SELECT count(*) FROM jobs
                WHERE organization_id = $1 AND status IN ('pending', 'in_progress') AND ${FOR_RUNNERS}) AS running
         FROM organizations LEFT JOIN job_queues AS queue ON queue.organization_id = organizations.id
        WHERE organizations.id = $1`,
      [organizationId],
    );
    if (found === undefined) throw new NotFoundError('Organization');
    return { ...found, limit: found.limit ?? this.config.runners.runningJobsPerOrganization };
  }

  /** @throws NotFoundError */
  async ofApp(appId: string): Promise<JobLimit> {
    const [found] = await sql<JobLimit>(
      `SELECT coalesce(queue.running_limit, 0) AS limit,
              (SELECT count(*) FROM jobs WHERE app_id = $1 AND status = 'queued' AND ${FOR_RUNNERS}) AS queued,
              (SELECT count(*) FROM jobs
                WHERE app_id = $1 AND status IN ('pending', 'in_progress') AND ${FOR_RUNNERS}) AS running
         FROM apps LEFT JOIN job_queue_apps AS queue ON queue.app_id = apps.id WHERE apps.id = $1`,
      [appId],
    );
    if (found === undefined) throw new NotFoundError('App');
    return found;
  }
}
