import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';
import { type JobNeeds, missingFor, type RunnerAbilities } from './abilities.js';

/** Queued jobs with the same needs. */
export interface QueuedGroup extends JobNeeds {
  readonly isHeld: boolean;
  readonly ids: string[];
}

/** What is queued for runners, and running on them, in the whole installation. */
export interface QueueCounts {
  /** `held`: waits for its source; `unmatched`: no registered runner can do it; `waiting`: for a runner or a limit. */
  readonly queued: Readonly<Record<'held' | 'unmatched' | 'waiting', number>>;
  readonly running: Readonly<Record<'pending' | 'in_progress', number>>;
}

/** Reads the queues of runners as a whole: for metrics, and for jobs that no runner can do. */
@Injectable()
export class QueueStateService {
  constructor(private readonly config: Config) {}

  async count(): Promise<QueueCounts> {
    const running = await sql<{ status: 'pending' | 'in_progress'; count: number }>(
      `SELECT status, count(*)::int AS count FROM jobs
        WHERE status IN ('pending', 'in_progress') AND ${FOR_RUNNERS} GROUP BY status`,
    );
    const groups = await this.groups('0 seconds');
    const unmatched = new Set((await this.unmatched(groups)).map(({ group }) => group));
    const sizeOf = (is: (group: QueuedGroup) => boolean): number =>
      groups.filter(is).reduce((sum, { ids }) => sum + ids.length, 0);
    return {
      queued: {
        held: sizeOf(({ isHeld }) => isHeld),
        unmatched: sizeOf((group) => unmatched.has(group)),
        waiting: sizeOf((group) => !group.isHeld && !unmatched.has(group)),
      },
      running: {
        pending: running.find(({ status }) => status === 'pending')?.count ?? 0,
        in_progress: running.find(({ status }) => status === 'in_progress')?.count ?? 0,
      },
    };
  }

  /** Queued jobs of at least this age, by what they need. @param age an interval of PostgreSQL */
  groups(age: string): Promise<QueuedGroup[]> {
    return sql<QueuedGroup>(
      `SELECT organization_id AS "organizationId", app_id AS "appId", platform, stack, labels, is_held AS "isHeld",
              array_agg(id) AS ids
         FROM jobs WHERE status = 'queued' AND ${FOR_RUNNERS} AND coalesce(queued_at, created_at) <= now() - $1::interval
        GROUP BY organization_id, app_id, platform, stack, labels, is_held`,
      [age],
    );
  }

  /** Of the groups that are not held, those that no registered runner can do, and what is missing. */
  async unmatched(groups: readonly QueuedGroup[]): Promise<{ group: QueuedGroup; missing: string }[]> {
    const queued = groups.filter(({ isHeld }) => !isHeld);
    if (queued.length === 0) return [];
    const runners = await this.runners([...new Set(queued.map(({ organizationId }) => organizationId))]);
    return queued.flatMap((group) => {
      const missing = missingFor(group, runners);
      return missing === null ? [] : [{ group, missing }];
    });
  }

  /** The registered runners of organizations and those for all, with what they reported last, in contact or not. */
  private runners(organizationIds: readonly string[]): Promise<RunnerAbilities[]> {
    return sql<RunnerAbilities>(
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
