import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';

/** How long a runner was not in contact that is lost, as an interval of PostgreSQL. */
const LOST_AFTER = '5 minutes';
/** Those that were lost longer ago have no event: the server may be new to events, or was stopped. */
const LOST_LATELY = '1 day';

/** When a runner was last in contact: with a claim, or about one of its jobs. @param lease in seconds */
const SEEN_AT = `greatest(session.last_seen_at, (
  SELECT max(lease.expires_at) - make_interval(secs => $1) FROM job_leases AS lease
   WHERE lease.runner_id = session.runner_id))`;

/** A runner of an organization that is no longer in contact. */
export interface LostRunner {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly lastSeenAt: Date;
}

@Injectable()
export class LostRunnersQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** Those without a state yet. @param size most of them */
  newlyLost(kind: string, size: number): Promise<LostRunner[]> {
    return this.sql.query<LostRunner>(
      `SELECT runner.id, runner.organization_id AS "organizationId", runner.name, seen.at AS "lastSeenAt"
         FROM runners AS runner JOIN runner_sessions AS session ON session.runner_id = runner.id
        CROSS JOIN LATERAL (SELECT ${SEEN_AT} AS at) AS seen
        WHERE runner.organization_id IS NOT NULL AND session.ended_at IS NULL
          AND seen.at < now() - interval '${LOST_AFTER}' AND seen.at > now() - interval '${LOST_LATELY}'
          AND NOT EXISTS (SELECT FROM event_conditions AS state
                           WHERE state.object_id = runner.id AND state.kind = $2)
        ORDER BY runner.id LIMIT $3`,
      [this.config.jobs.leaseSeconds, kind, size],
    );
  }

  /** A condition of SQL on `event_conditions AS state`, and its parameters from `$3` on: the runner is back, or gone. */
  isOver(): [condition: string, parameters: unknown[]] {
    const condition = `NOT EXISTS (
      SELECT FROM runner_sessions AS session WHERE session.runner_id = state.object_id AND session.ended_at IS NULL
         AND ${SEEN_AT.replaceAll('$1', '$3')} < now() - interval '${LOST_AFTER}')`;
    return [condition, [this.config.jobs.leaseSeconds]];
  }
}
