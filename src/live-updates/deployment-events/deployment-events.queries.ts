import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DeploymentSummaryDto } from './deployment-event.dto.js';

/** A deployment, and the app that its events are of. */
export interface DescribedDeployment {
  readonly appId: string;
  readonly summary: DeploymentSummaryDto;
}

/** SQL of events about deployments. */
@Injectable()
export class DeploymentEventsQueries {
  constructor(private readonly sql: Sql) {}

  /** @returns `null`: it is gone */
  async describe(id: string): Promise<DescribedDeployment | null> {
    const [row] = await this.sql.query<DeploymentSummaryDto & { appId: string }>(
      `SELECT deployment.app_id AS "appId", deployment.id AS "appDeploymentId",
              build.id AS "appBuildId", build.number AS "appBuildNumber",
              build.automation_id AS "appAutomationId",
              channel.id AS "appChannelId", channel.name AS "appChannelName",
              destination.id AS "appDestinationId", destination.name AS "appDestinationName",
              deployment.rollout_percentage AS "rolloutPercentage"
         FROM deployments AS deployment
         JOIN builds AS build ON build.id = deployment.build_id
         LEFT JOIN channels AS channel ON channel.id = deployment.channel_id
         LEFT JOIN destinations AS destination ON destination.id = deployment.destination_id
        WHERE deployment.id = $1`,
      [id],
    );
    if (row === undefined) return null;
    const { appId, ...summary } = row;
    return { appId, summary };
  }

  /**
   * The deployment that one takes back: what the channel delivered before is newer, and the channel has delivered this build
   * before. One whose share is 0 takes nothing back.
   *
   * @param id of a deployment that is live now
   */
  async takenBackBy(id: string): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT former.id
         FROM deployments AS deployment
         JOIN builds AS build ON build.id = deployment.build_id
         JOIN LATERAL (
           SELECT id, build_id, sequence, rollout_percentage FROM deployments
            WHERE channel_id = deployment.channel_id AND approval_status = 'approved' AND id <> deployment.id
            ORDER BY sequence DESC LIMIT 1
         ) AS former ON former.sequence < deployment.sequence AND former.rollout_percentage > 0
         JOIN builds AS former_build ON former_build.id = former.build_id AND former_build.number > build.number
        WHERE deployment.id = $1 AND deployment.rollout_percentage > 0
          AND EXISTS (SELECT FROM deployments AS earlier
                       WHERE earlier.build_id = deployment.build_id AND earlier.channel_id = deployment.channel_id
                         AND earlier.approval_status = 'approved' AND earlier.id <> deployment.id)`,
      [id],
    );
    return row?.id ?? null;
  }
}
