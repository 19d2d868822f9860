import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import type { UnsafeReuseKind } from '../bundle-manifests/unsafe-reuse.js';

/** Where a build is to be delivered. */
export interface ReuseTarget {
  readonly buildId: string;
  /** `null`: nowhere yet. */
  readonly channelId: string | null;
  /** The deployment, if there is one already. */
  readonly deploymentId?: string | null;
}

/** What devices that run another bundle would do wrong with the bundle of a build. */
export interface RecordedReuse {
  readonly kind: UnsafeReuseKind;
  readonly href: string;
  readonly runningBundleId: string;
  /** Number of the build of the running bundle; `null`: it is of another server. */
  readonly buildNumber: number | null;
  /** Whether the channel serves the running bundle to every device now. */
  readonly isServed: boolean;
  /** How many other bundles there are from which devices would build this one wrongly. */
  readonly others: number;
  /** Whether the channel has delivered the build before. */
  readonly isRollback: boolean;
}

/** A manifest bundle with a manifest in the folder that devices take as its root, from before those were verified. */
export interface UnverifiedManifest {
  readonly buildNumber: number;
  /** Its path. */
  readonly href: string;
}

/** The bundle of the newest deployment that all devices of the channel `$2` get, as far as its deployments say. */
const SERVED = `(SELECT ready.id
                   FROM deployments AS deployment
                   JOIN build_artifacts AS ready ON ready.build_id = deployment.build_id AND ready.status = 'ready'
                   JOIN bundles ON bundles.id = ready.id
                  WHERE deployment.channel_id = $2 AND deployment.approval_status = 'approved'
                    AND deployment.rollout_percentage >= 1
                  ORDER BY deployment.sequence DESC LIMIT 1)`;

/** SQL about what was found when bundles were published. */
@Injectable()
export class UnsafeReuseQueries {
  constructor(private readonly sql: Sql) {}

  /** The worst of what was found: of the bundle that the channel serves first, then of the newest build; `null`: nothing. */
  async worst({ buildId, channelId, deploymentId = null }: ReuseTarget): Promise<RecordedReuse | null> {
    const [row] = await this.sql.query<RecordedReuse>(
      `SELECT reuse.kind, reuse.href, reuse.running_bundle_id AS "runningBundleId", plain.build_number AS "buildNumber",
              reuse.running_bundle_id IS NOT DISTINCT FROM served.id AS "isServed",
              (count(*) OVER ())::int - 1 AS others,
              EXISTS (SELECT FROM deployments AS earlier
                       WHERE earlier.channel_id = $2 AND earlier.build_id = $1
                         AND earlier.approval_status = 'approved' AND earlier.id IS DISTINCT FROM $3) AS "isRollback"
         FROM build_artifacts AS artifact
         JOIN unsafe_reuses AS reuse ON reuse.bundle_id = artifact.id
         JOIN plain_manifests AS plain
           ON plain.app_id = reuse.app_id AND plain.bundle_id = reuse.running_bundle_id
        CROSS JOIN (SELECT ${SERVED} AS id) AS served
        WHERE artifact.build_id = $1
        ORDER BY (reuse.kind = 'content' AND reuse.running_bundle_id IS NOT DISTINCT FROM served.id) DESC,
                 reuse.kind DESC, plain.build_number DESC NULLS LAST LIMIT 1`,
      [buildId, channelId, deploymentId],
    );
    return row ?? null;
  }

  /**
   * Whether the manifest bundle of a build has a manifest beside an `index.html` that is not at the root, from before Slipway
   * verified those; or the one that its channel serves now, if the build is signed.
   */
  async unverifiedManifest({ buildId, channelId }: ReuseTarget): Promise<UnverifiedManifest | null> {
    const [row] = await this.sql.query<UnverifiedManifest>(
      // Not in one step: PostgreSQL could compare each file of a large bundle with each other one.
      `WITH inner_manifest AS MATERIALIZED (
         SELECT artifact.id AS bundle_id, build.app_id, build.number, file.href
           FROM build_artifacts AS artifact
           JOIN builds AS build ON build.id = artifact.build_id
           JOIN bundle_files AS file ON file.bundle_id = artifact.id AND file.href LIKE '%/' || $3::text
          WHERE artifact.type = 'manifest'
            AND (artifact.build_id = $1
                 OR artifact.id = ${SERVED}
                    AND EXISTS (SELECT FROM build_artifacts AS next JOIN bundles ON bundles.id = next.id AND bundles.signed
                                 WHERE next.build_id = $1 AND next.type = 'manifest')))
       SELECT number AS "buildNumber", href FROM inner_manifest
        WHERE EXISTS (SELECT FROM bundle_files AS index
                       WHERE index.bundle_id = inner_manifest.bundle_id
                         AND index.href = left(inner_manifest.href, -length($3::text)) || 'index.html')
          AND NOT EXISTS (SELECT FROM bundle_files AS root
                           WHERE root.bundle_id = inner_manifest.bundle_id AND root.href = 'index.html')
          AND NOT EXISTS (SELECT FROM plain_manifests AS plain
                           WHERE plain.app_id = inner_manifest.app_id AND plain.bundle_id = inner_manifest.bundle_id
                             AND (plain.carried IS NOT NULL OR NOT plain.offered))
        ORDER BY number DESC LIMIT 1`,
      [buildId, channelId, MANIFEST_HREF],
    );
    return row ?? null;
  }
}
