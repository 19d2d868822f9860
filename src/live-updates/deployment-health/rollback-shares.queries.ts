import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { ObservedDeployment } from './deployment-health.queries.js';

/** Devices of a deployment without roll-backs for this long, as an interval of PostgreSQL, are not counted. */
const LATELY = '1 hour';

/** The deployment `deployment` is approved, and its channel delivers no newer one. */
const IS_NEWEST = `deployment.approval_status = 'approved' AND NOT EXISTS (
  SELECT FROM deployments AS newer
   WHERE newer.channel_id = deployment.channel_id AND newer.approval_status = 'approved'
     AND newer.sequence > deployment.sequence)`;

/** A condition of SQL on `event_conditions AS state`: the channel delivers a newer deployment, or it is gone. */
export const IS_REPLACED = `NOT EXISTS (
  SELECT FROM deployments AS deployment WHERE deployment.id = state.object_id AND ${IS_NEWEST})`;

/** SQL of deployments whose roll-backs are watched. */
@Injectable()
export class RollbackSharesQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * The newest deployment of each channel, if devices rolled its bundle back lately, or it has a state.
   *
   * @param after the id of the last one of the batch before; `null`: there was none
   * @param size most of them
   */
  watched(kind: string, after: string | null, size: number): Promise<ObservedDeployment[]> {
    return this.sql.query<ObservedDeployment>(
      `SELECT deployment.app_id AS "appId", deployment.id AS "deploymentId", NULL AS "observedSince"
         FROM channels AS channel
         JOIN LATERAL (
           SELECT id, app_id, build_id FROM deployments
            WHERE channel_id = channel.id AND approval_status = 'approved' ORDER BY sequence DESC LIMIT 1
         ) AS deployment ON $2::uuid IS NULL OR deployment.id > $2
        WHERE EXISTS (SELECT FROM device_rollbacks AS rollback
                        JOIN build_artifacts AS artifact ON artifact.id = rollback.bundle_id
                       WHERE rollback.app_id = deployment.app_id AND rollback.last_at > now() - interval '${LATELY}'
                         AND artifact.build_id = deployment.build_id)
           OR EXISTS (SELECT FROM event_conditions AS state
                       WHERE state.object_id = deployment.id AND state.kind = $1)
        ORDER BY deployment.id LIMIT $3`,
      [kind, after, size],
    );
  }
}
