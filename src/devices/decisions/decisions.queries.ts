import { Injectable } from '@nestjs/common';
import type { DeployedBuild } from './decision.dto.js';
import { Sql } from '../../database/sql.js';

/** What explanations need to know from their neighbours. */
@Injectable()
export class DecisionsQueries {
  constructor(private readonly sql: Sql) {}

  /** The builds of deployments of an app, by id of the deployment. */
  async buildsOf(
    appId: string,
    deploymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, DeployedBuild>> {
    const rows = await this.sql.query<DeployedBuild & { deploymentId: string }>(
      `SELECT deployments.id AS "deploymentId", builds.id, builds.number, builds.display_name AS name
         FROM deployments JOIN builds ON builds.id = deployments.build_id
        WHERE deployments.app_id = $1 AND deployments.id = ANY($2)`,
      [appId, deploymentIds],
    );
    return new Map(rows.map(({ deploymentId, ...build }) => [deploymentId, build]));
  }
}
