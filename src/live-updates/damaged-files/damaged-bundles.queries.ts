import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DamagedBundleEventDto } from './damaged-file.dto.js';

/** A damaged bundle, and its app. */
export interface DamagedBundle extends DamagedBundleEventDto {
  readonly appId: string;
}

/** Damaged files of bundles. Those with a slash first are derived from the others, and made again. */
const DAMAGED_FILES = `FROM bundle_files AS file
  JOIN blobs AS blob ON blob.id = file.blob_id AND blob.damaged_at IS NOT NULL AND file.href NOT LIKE '/%'`;

/** A condition of SQL on `event_conditions AS state`: the bundle is sound again, or gone. */
export const IS_SOUND = `NOT EXISTS (SELECT ${DAMAGED_FILES} WHERE file.bundle_id = state.object_id)`;

/** SQL of bundles with damaged files. */
@Injectable()
export class DamagedBundlesQueries {
  constructor(private readonly sql: Sql) {}

  /** Those that are ready and have no state yet. @param size most of them */
  newlyDamaged(kind: string, size: number): Promise<DamagedBundle[]> {
    return this.sql.query<DamagedBundle>(
      `SELECT bundle.app_id AS "appId", bundle.id AS "appBundleId",
              build.id AS "appBuildId", build.number AS "appBuildNumber",
              channel.id AS "appChannelId", channel.name AS "appChannelName",
              damaged.files AS "damagedFiles", damaged.href, damaged.reason
         FROM (SELECT file.bundle_id, count(*)::int AS files, nullif(min(file.href), '') AS href,
                      (array_agg(blob.damage ORDER BY file.href))[1] AS reason
                 ${DAMAGED_FILES} GROUP BY file.bundle_id) AS damaged
         JOIN bundles AS bundle ON bundle.id = damaged.bundle_id
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
         JOIN builds AS build ON build.id = artifact.build_id
         JOIN apps AS app ON app.id = bundle.app_id
         LEFT JOIN LATERAL (
           SELECT channels.id, channels.name FROM deployments JOIN channels ON channels.id = deployments.channel_id
            WHERE deployments.build_id = build.id AND deployments.approval_status = 'approved'
            ORDER BY deployments.sequence DESC LIMIT 1
         ) AS channel ON true
        WHERE NOT EXISTS (SELECT FROM event_conditions AS state
                           WHERE state.object_id = bundle.id AND state.kind = $1
                             AND state.organization_id = app.organization_id)
        ORDER BY bundle.id LIMIT $2`,
      [kind, size],
    );
  }
}
