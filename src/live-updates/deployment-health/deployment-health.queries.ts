import { Injectable } from '@nestjs/common';
import type { Health } from '../rollout-plans/rollout-plan.entity.js';
import { Sql } from '../../database/sql.js';

/** What to count. */
export interface ObservedDeployment {
  readonly appId: string;
  readonly deploymentId: string;
  /** Roll-backs before this time do not count; `null`: all count. */
  readonly observedSince: Date | null;
}

/** As long as no device has responded. */
export const NO_HEALTH: Health = { offered: 0, applied: 0, rolledBack: 0, notApplied: 0 };

/** Counts how devices responded to a deployment. See ADR 21. */
@Injectable()
export class DeploymentHealthQueries {
  constructor(private readonly sql: Sql) {}

  /** As `countMany`, of one. */
  async count(observed: ObservedDeployment): Promise<Health> {
    const health = (await this.countMany([observed])).get(observed.deploymentId);
    return health ?? NO_HEALTH;
  }

  /**
   * One statement over the devices that the deployments are offered to, and those that they are withheld from because they
   * rolled the bundle back too often, by the same limits as `isBelowRollbackLimit`; indexes find both. Without the latter, a
   * bad bundle would look healthy again. All deployments are counted in one pass, because each may have most of the devices.
   *
   * @returns by the id of the deployment
   */
  async countMany(observed: readonly ObservedDeployment[]): Promise<Map<string, Health>> {
    if (observed.length === 0) return new Map();
    const rows = await this.sql.query<Health & { deploymentId: string }>(
      `WITH watched AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS watched (app_id, id, since)
       ), blocked AS (
         SELECT watched.id, watched.since, device.deployment_id, rollback.last_at, device.last_seen_at
           FROM watched
           JOIN deployments AS deployment ON deployment.app_id = watched.app_id AND deployment.id = watched.id
           JOIN channels AS channel ON channel.id = deployment.channel_id
           JOIN build_artifacts AS artifact ON artifact.build_id = deployment.build_id
           JOIN device_rollbacks AS rollback
             ON rollback.bundle_id = artifact.id
            AND (rollback.count - rollback.count_when_healthy >= channel.rollback_limit
                 OR rollback.count >= 3 * channel.rollback_limit)
           JOIN devices AS device
             ON device.app_id = rollback.app_id AND device.id = rollback.device_id
            AND device.app_version_code = rollback.app_version_code
            AND device.bundle_id IS DISTINCT FROM rollback.bundle_id
            AND coalesce(device.forced_channel_id, device.channel_id) = channel.id
       ), counted AS (
         SELECT watched.id, watched.since, offered_at, applied_at, rolled_back_at, last_seen_at
           FROM watched
           JOIN devices AS device ON device.app_id = watched.app_id AND device.deployment_id = watched.id
          UNION ALL
         SELECT id, since, last_at, last_at, last_at, last_seen_at FROM blocked
          WHERE deployment_id IS DISTINCT FROM id
       ), health AS (
         SELECT id, count(*)::int AS offered,
                count(*) FILTER (WHERE applied_at IS NOT NULL
                  AND (rolled_back_at IS NULL OR rolled_back_at >= since))::int AS applied,
                count(*) FILTER (WHERE rolled_back_at >= since)::int AS "rolledBack",
                count(*) FILTER (WHERE applied_at IS NULL
                  AND last_seen_at >= offered_at + interval '24 hours')::int AS "notApplied"
           FROM counted GROUP BY id
       )
       SELECT watched.id AS "deploymentId", coalesce(offered, 0) AS offered, coalesce(applied, 0) AS applied,
              coalesce("rolledBack", 0) AS "rolledBack", coalesce("notApplied", 0) AS "notApplied",
              (SELECT count(*)::int FROM blocked WHERE blocked.id = watched.id) AS blocked
         FROM watched LEFT JOIN health ON health.id = watched.id`,
      [
        observed.map(({ appId }) => appId),
        observed.map(({ deploymentId }) => deploymentId),
        observed.map(({ observedSince }) => observedSince ?? '-infinity'),
      ],
    );
    return new Map(rows.map(({ deploymentId, ...health }) => [deploymentId, health]));
  }
}
