import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Health, RolloutPlan } from './rollout-plan.entity.js';

/** Counts what devices have shown of a deployment. See ADR 21. */
@Injectable()
export class RolloutHealthQueries {
  constructor(private readonly database: DataSource) {}

  /** One statement over the devices that the deployment is offered to, which an index finds. */
  async of(
    { appId, deploymentId, watchingSince }: RolloutPlan,
    tx: EntityManager = this.database.manager,
  ): Promise<Health> {
    const [health] = await tx.query<Health[]>(
      `SELECT count(*)::int AS offered,
              count(*) FILTER (WHERE applied_at IS NOT NULL
                AND (rolled_back_at IS NULL OR rolled_back_at >= since))::int AS applied,
              count(*) FILTER (WHERE rolled_back_at >= since)::int AS "rolledBack",
              count(*) FILTER (WHERE applied_at IS NULL
                AND last_seen_at >= offered_at + interval '24 hours')::int AS "notApplied"
         FROM devices, coalesce($3::timestamptz, '-infinity') AS since
        WHERE app_id = $1 AND deployment_id = $2`,
      [appId, deploymentId, watchingSince],
    );
    return health ?? { offered: 0, applied: 0, rolledBack: 0, notApplied: 0 };
  }
}
