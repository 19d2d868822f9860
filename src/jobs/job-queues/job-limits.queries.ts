import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';

/** How many jobs runners may run, and do. */
export interface JobLimit {
  readonly queued: number;
  readonly running: number;
  /** 0: any number. */
  readonly limit: number;
}

/** SQL of the limits of running jobs. */
@Injectable()
export class JobLimitsQueries {
  constructor(private readonly sql: Sql) {}

  /** @param limit 0: any number; `null`: that of the configuration @returns whether the organization exists */
  async setOfOrganization(organizationId: string, limit: number | null): Promise<boolean> {
    const changed = await this.sql.execute(
      `INSERT INTO job_queues (organization_id, running_limit) SELECT id, $2 FROM organizations WHERE id = $1
       ON CONFLICT (organization_id) DO UPDATE SET running_limit = excluded.running_limit`,
      [organizationId, limit],
    );
    return changed > 0;
  }

  /** @returns the organization of the app; `null`: there is no such app */
  async setOfApp(appId: string, limit: number | null): Promise<string | null> {
    const [app] = await this.sql.query<{ organizationId: string }>(
      `WITH app AS (SELECT id, organization_id FROM apps WHERE id = $1),
       changed AS (
         INSERT INTO job_queue_apps (app_id, running_limit) SELECT id, $2 FROM app
         ON CONFLICT (app_id) DO UPDATE SET running_limit = excluded.running_limit)
       SELECT organization_id AS "organizationId" FROM app`,
      [appId, limit],
    );
    return app?.organizationId ?? null;
  }

  /** @returns `limit`: `null`: that of the configuration; `null`: there is no such organization */
  async ofOrganization(
    organizationId: string,
  ): Promise<(Omit<JobLimit, 'limit'> & { readonly limit: number | null }) | null> {
    const [found] = await this.sql.query<Omit<JobLimit, 'limit'> & { readonly limit: number | null }>(
      `SELECT queue.running_limit AS limit,
              (SELECT count(*) FROM jobs WHERE organization_id = $1 AND status = 'queued' AND ${FOR_RUNNERS}) AS queued,
              (SELECT count(*) FROM jobs
                WHERE organization_id = $1 AND status IN ('pending', 'in_progress') AND ${FOR_RUNNERS}) AS running
         FROM organizations LEFT JOIN job_queues AS queue ON queue.organization_id = organizations.id
        WHERE organizations.id = $1`,
      [organizationId],
    );
    return found ?? null;
  }

  /** @returns `null`: there is no such app */
  async ofApp(appId: string): Promise<JobLimit | null> {
    const [found] = await this.sql.query<JobLimit>(
      `SELECT coalesce(queue.running_limit, 0) AS limit,
              (SELECT count(*) FROM jobs WHERE app_id = $1 AND status = 'queued' AND ${FOR_RUNNERS}) AS queued,
              (SELECT count(*) FROM jobs
                WHERE app_id = $1 AND status IN ('pending', 'in_progress') AND ${FOR_RUNNERS}) AS running
         FROM apps LEFT JOIN job_queue_apps AS queue ON queue.app_id = apps.id WHERE apps.id = $1`,
      [appId],
    );
    return found ?? null;
  }
}
