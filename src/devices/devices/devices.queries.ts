import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DeviceBuild } from './device.dto.js';

/** SQL of devices. */
@Injectable()
export class DevicesQueries {
  constructor(private readonly sql: Sql) {}

  /** The deployments of an app among these that exist, by id, each with its build; `null`: the build was deleted. */
  async buildsOfDeployments(
    appId: string | null,
    ids: readonly string[],
  ): Promise<Map<string, DeviceBuild | null>> {
    const rows = await this.sql.query<DeviceBuild & { of: string; id: string | null }>(
      `SELECT deployments.id AS "of", builds.id, builds.number, builds.display_name AS "displayName"
         FROM deployments LEFT JOIN builds ON builds.id = deployments.build_id
        WHERE deployments.app_id = $1 AND deployments.id = ANY ($2)`,
      [appId, ids],
    );
    return new Map(rows.map(({ of, ...build }) => [of, build.id === null ? null : build]));
  }

  /** The builds of bundles of an app, by the ids of the bundles. */
  async buildsOfBundles(appId: string | null, ids: readonly string[]): Promise<Map<string, DeviceBuild>> {
    const rows = await this.sql.query<DeviceBuild & { of: string }>(
      `SELECT build_artifacts.id AS "of", builds.id, builds.number, builds.display_name AS "displayName"
         FROM build_artifacts JOIN builds ON builds.id = build_artifacts.build_id
        WHERE builds.app_id = $1 AND build_artifacts.id = ANY ($2)`,
      [appId, ids],
    );
    return new Map(rows.map(({ of, ...build }) => [of, build]));
  }
}
