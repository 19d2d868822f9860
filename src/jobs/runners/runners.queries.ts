import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import type { JobPlatform } from '../jobs/job.entity.js';

/** How long a runner counts as online after it was in contact, as an interval of PostgreSQL. */
const ONLINE_FOR = '60 seconds';

/** What is known of a runner from its contacts. */
export interface RunnerContact {
  readonly runnerId: string;
  readonly isOnline: boolean;
  readonly lastSeenAt: Date;
  readonly name: string | null;
  readonly version: string;
  readonly os: string;
  readonly arch: string;
  readonly platforms: JobPlatform[];
  readonly stacks: string[];
  readonly labels: string[];
  readonly slots: number;
  readonly jobIds: string[];
}

@Injectable()
export class RunnersQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** The contacts of runners: their claims, and what they report about their jobs. */
  async contacts(runnerIds: readonly string[]): Promise<Map<string, RunnerContact>> {
    if (runnerIds.length === 0) return new Map();
    const rows = await this.sql.query<RunnerContact>(
      `SELECT runner_id AS "runnerId", seen.at AS "lastSeenAt", ended_at IS NULL AND seen.at > now() - $2::interval AS "isOnline",
              name, version, os, arch, platforms, stacks, labels, slots, lease.job_ids AS "jobIds"
         FROM runner_sessions AS session
        CROSS JOIN LATERAL (
              SELECT coalesce(array_agg(job_id ORDER BY granted_at, job_id), '{}') AS job_ids, max(expires_at) - $3 * interval '1 second' AS at
                FROM job_leases WHERE job_leases.runner_id = session.runner_id) AS lease
        CROSS JOIN LATERAL (SELECT greatest(session.last_seen_at, lease.at) AS at) AS seen
        WHERE runner_id = ANY($1)`,
      [runnerIds, ONLINE_FOR, this.config.jobs.leaseSeconds],
    );
    return new Map(rows.map((row) => [row.runnerId, row]));
  }

  /** Whether all of these apps belong to the organization. */
  async areApps(organizationId: string, appIds: readonly string[]): Promise<boolean> {
    const [found] = await this.sql.query<{ count: number }>(
      'SELECT count(*) AS count FROM apps WHERE organization_id = $1 AND id = ANY($2)',
      [organizationId, appIds],
    );
    return found?.count === appIds.length;
  }
}
