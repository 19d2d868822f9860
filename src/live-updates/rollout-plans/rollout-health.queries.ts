import { Injectable } from '@nestjs/common';
import type { Health, RolloutPlan } from './rollout-plan.entity.js';
import { sql } from '../../database/sql.js';

/** Counts what devices have shown of a deployment. See ADR 21. */
@Injectable()
export class RolloutHealthQueries {
  /** One statement over the devices that the deployment is offered to, which an index finds. */
  async count({ appId, deploymentId, observedSince }: RolloutPlan): Promise<Health> {
    const [health] = await sql<Health>(
      `SELECT count(*)::int AS offered,
              count(*) FILTER (WHERE applied_at IS NOT NULL
                AND (rolled_back_at IS NULL OR rolled_back_at >= since))::int AS applied,
              count(*) FILTER (WHERE rolled_back_at >= since)::int AS "rolledBack",
              count(*) FILTER (WHERE applied_at IS NULL
                AND last_seen_at >= offered_at + interval '24 hours')::int AS "notApplied"
         FROM devices, coalesce($3::timestamptz, '-infinity') AS since
        WHERE app_id = $1 AND deployment_id = $2`,
      [appId, deploymentId, observedSince],
    );
    return health ?? { offered: 0, applied: 0, rolledBack: 0, notApplied: 0 };
  }
}
