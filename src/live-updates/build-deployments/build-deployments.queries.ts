import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DeploymentOfBuild } from '../../native-builds/builds/build-deployments.js';

@Injectable()
export class BuildDeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The newest deployments of some builds, newest first. @param perBuild most of each build */
  latest(buildIds: readonly string[], perBuild: number): Promise<DeploymentOfBuild[]> {
    return this.sql.query<DeploymentOfBuild>(
      `SELECT latest.id, latest.build_id AS "buildId", latest.channel_id AS "channelId", channels.name AS "channelName",
              latest.destination_id AS "destinationId", destinations.name AS "destinationName",
              latest.rollout_percentage AS "rolloutPercentage", latest.approval_status AS "approvalStatus",
              latest.created_at AS "createdAt", latest.total,
              EXISTS (SELECT FROM deployments AS newer
                       WHERE newer.channel_id = latest.channel_id AND newer.sequence > latest.sequence
                         AND newer.approval_status = 'approved' AND newer.rollout_percentage = 1) AS "isSuperseded"
         FROM (SELECT deployments.*, row_number() OVER newest AS place, count(*) OVER (PARTITION BY build_id)::int AS total
                 FROM deployments WHERE build_id = ANY ($1)
               WINDOW newest AS (PARTITION BY build_id ORDER BY sequence DESC)) AS latest
         LEFT JOIN channels ON channels.id = latest.channel_id
         LEFT JOIN destinations ON destinations.id = latest.destination_id
        WHERE latest.place <= $2
        ORDER BY latest.sequence DESC`,
      [buildIds, perBuild],
    );
  }
}
