import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DeviceBuild } from './device.dto.js';

/** Devices of one custom id that are counted at most: an app may give all devices the same one. */
const MAX_SAME = 100;

/** A device and its custom id. */
export interface NamedDevice {
  readonly id: string;
  /** As it is stored. */
  readonly customId: string;
  readonly isHashed: boolean;
  /** What it is or was stored as where the app has hashes; `null`: nothing else. */
  readonly hash: string | null;
}

/**
 * By a range and its order, which only an index has: where a million devices share a custom id, PostgreSQL takes every custom
 * id for frequent, and would read the whole table for each that is not.
 */
const devicesOf = (customId: string, condition: string): string =>
  `(SELECT custom_id FROM devices
     WHERE app_id = $1 AND custom_id >= ${customId} AND custom_id <= ${customId} AND ${condition}
     ORDER BY custom_id LIMIT ${MAX_SAME})`;

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

  /** How many devices of an app have the custom id of each of these, 100 at most, by their ids. */
  async countsOfCustomIds(
    appId: string,
    devices: readonly NamedDevice[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.sql.query<{ ids: string[]; devices: number }>(
      `SELECT array_agg(named.id) AS ids,
              (SELECT least(count(*), ${MAX_SAME})::int
                 FROM (${devicesOf('named.custom_id', 'custom_id_hashed = named.is_hashed')}
                       UNION ALL ${devicesOf('named.hash', 'custom_id_hashed')}) AS same) AS devices
         FROM unnest($2::text[], $3::text[], $4::boolean[], $5::text[]) AS named (id, custom_id, is_hashed, hash)
        GROUP BY named.custom_id, named.is_hashed, named.hash`,
      [
        appId,
        devices.map(({ id }) => id),
        devices.map(({ customId }) => customId),
        devices.map(({ isHashed }) => isHashed),
        devices.map(({ hash }) => hash),
      ],
    );
    return new Map(rows.flatMap(({ ids, devices: count }) => ids.map((id) => [id, count])));
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
