import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { notSuspended, orResumed } from '../../organizations/organizations/suspensions.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';
import type { JobNeeds, RunnerAbilities } from './abilities.js';

/**
 * Seconds, besides a lease, within which a job goes back whose lease has ended: a replica that starts, or whose database
 * was away, waits a lease, and looks for such jobs every ten seconds.
 */
const TAKEN_BACK_WITHIN = 20;

/** Queued jobs with the same needs. */
export interface QueuedGroup extends JobNeeds {
  readonly isHeld: boolean;
  readonly ids: string[];
}

/** Reads the queues of all organizations, and who could serve them. */
@Injectable()
export class QueueStateQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** How many jobs runners have, by status. */
  running(): Promise<{ status: 'pending' | 'in_progress'; count: number }[]> {
    return this.sql.query(
      `SELECT status, count(*)::int AS count FROM jobs
        WHERE status IN ('pending', 'in_progress') AND ${FOR_RUNNERS} GROUP BY status`,
    );
  }

  /** How many jobs runners still have although their leases ended long ago: they should have gone back. */
  async overdue(): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM job_leases WHERE expires_at < now() - make_interval(secs => $1)`,
      [this.config.jobs.leaseSeconds + TAKEN_BACK_WITHIN],
    );
    return row?.count ?? 0;
  }

  /**
   * Jobs that have been queued for at least this long, by what they need, without those of suspended organizations.
   *
   * @param age an interval of PostgreSQL
   */
  groups(age: string): Promise<QueuedGroup[]> {
    return this.sql.query<QueuedGroup>(
      `SELECT organization_id AS "organizationId", app_id AS "appId", platform, stack, labels, is_held AS "isHeld",
              array_agg(id) AS ids
         FROM jobs
        WHERE status = 'queued' AND ${FOR_RUNNERS} AND ${notSuspended('organization_id')}
          AND ${orResumed('coalesce(queued_at, created_at)', 'organization_id')} <= now() - $1::interval
        GROUP BY organization_id, app_id, platform, stack, labels, is_held`,
      [age],
    );
  }

  /** The registered runners of organizations and those for all, with what they reported last, in contact or not. */
  runners(organizationIds: readonly string[]): Promise<RunnerAbilities[]> {
    return this.sql.query<RunnerAbilities>(
      `SELECT runner.organization_id AS "organizationId", runner.app_ids AS "appIds",
              ARRAY(SELECT unnest(session.platforms) INTERSECT
                    SELECT unnest(coalesce(runner.platforms, session.platforms))) AS platforms,
              session.stacks,
              ARRAY(SELECT unnest(session.labels) WHERE $2 UNION SELECT unnest(runner.labels)) AS labels
         FROM runners AS runner JOIN runner_sessions AS session ON session.runner_id = runner.id
        WHERE (runner.organization_id IS NULL OR runner.organization_id = ANY($1))
          AND (runner.expires_at IS NULL OR runner.expires_at > now())`,
      [organizationIds, this.config.runners.reportedLabels],
    );
  }
}
