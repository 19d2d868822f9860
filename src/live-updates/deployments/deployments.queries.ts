import { Injectable } from '@nestjs/common';
import { constraintColumns, type NativeMaxima } from '../../common/native-maxima.js';
import { Sql } from '../../database/sql.js';
import { RolloutPlan } from '../rollout-plans/rollout-plan.entity.js';

/** A file of a bundle with its signature. */
export interface SignedFile {
  /** Lower-case hexadecimal; `null` for a registered zip without a checksum. */
  readonly sha256: string | null;
  /** Base64. */
  readonly signature: string | null;
}

/** A deployment whose content a build has, too. */
export interface SameContent {
  readonly deploymentId: string;
  /** Whether the app wants such a build not to be deployed. */
  readonly isSkipped: boolean;
}

const constraintsOf = (build: string): string =>
  constraintColumns.map((column) => `${build}.${column}`).join(', ');

/** A build that is to be deployed. @property share 0 to 1 */
export interface ComparedBuild {
  readonly buildId: string;
  readonly channelId: string;
  readonly share: number;
  readonly maxima: NativeMaxima;
}

@Injectable()
export class DeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The bundle of a web build, once it can be delivered. */
  async readyBundle(buildId: string): Promise<{ id: string; signed: boolean } | null> {
    const rows = await this.sql.query<{ id: string; signed: boolean }>(
      `SELECT bundles.id, bundles.signed
         FROM build_artifacts JOIN bundles ON bundles.id = build_artifacts.id
        WHERE build_artifacts.build_id = $1 AND build_artifacts.status = 'ready'`,
      [buildId],
    );
    return rows[0] ?? null;
  }

  /**
   * The newest deployment that a channel delivers, or one that waits to be the newest, if devices would gain nothing by one
   * of a build: the same files with the same signatures, constraints, maxima of the deployment, custom properties and expiry,
   * for at least the same share. To offer a build again is the remedy where its bundle was rolled back, is damaged, or has a plan that stands or
   * was aborted: these count as others. To be asked while the channel is locked.
   *
   * @param isLiveAtOnce whether it would not wait, so that one that waits does not count
   * @returns `null`: there is none
   */
  async sameContent(
    { buildId, channelId, share, maxima }: ComparedBuild,
    isLiveAtOnce: boolean,
  ): Promise<SameContent | null> {
    const [row] = await this.sql.query<SameContent>(
      `SELECT newest.id AS "deploymentId", apps.skip_unchanged AS "isSkipped"
         FROM ((SELECT deployments.* FROM deployments
                 WHERE channel_id = $2 AND approval_status = 'approved' ORDER BY sequence DESC LIMIT 1)
               UNION ALL
               (SELECT waiting.* FROM deployments AS waiting
                 WHERE channel_id = $2 AND approval_status = 'pending' AND NOT $4
                   AND NOT EXISTS (SELECT FROM deployments AS newer
                                    WHERE newer.channel_id = $2 AND newer.approval_status = 'approved'
                                      AND newer.sequence > waiting.sequence))) AS newest
         JOIN apps ON apps.id = newest.app_id
         JOIN builds AS former ON former.id = newest.build_id
         JOIN build_artifacts AS former_artifact
           ON former_artifact.build_id = former.id AND former_artifact.status = 'ready'
         JOIN bundles AS former_bundle ON former_bundle.id = former_artifact.id
         JOIN builds AS next ON next.id = $1
         JOIN build_artifacts AS next_artifact ON next_artifact.build_id = next.id
         JOIN bundles AS next_bundle ON next_bundle.id = next_artifact.id
        WHERE newest.rollout_percentage >= $3
          AND (next.id = former.id OR next_bundle.content_digest = former_bundle.content_digest)
          AND ROW (${constraintsOf('next')}) IS NOT DISTINCT FROM ROW (${constraintsOf('former')})
          AND newest.max_android_app_version_code IS NOT DISTINCT FROM $5
          AND newest.max_ios_app_version_code IS NOT DISTINCT FROM $6
          AND newest.max_electron_app_version_code IS NOT DISTINCT FROM $7
          AND next.custom_properties IS NOT DISTINCT FROM former.custom_properties
          AND next_bundle.expires_at IS NOT DISTINCT FROM former_bundle.expires_at
          AND (former_bundle.expires_at IS NULL OR former_bundle.expires_at > now())
          AND NOT EXISTS (SELECT FROM bundle_files AS file JOIN blobs ON blobs.id = file.blob_id
                           WHERE file.bundle_id = former_bundle.id AND blobs.damaged_at IS NOT NULL)
          AND NOT EXISTS (SELECT FROM rollout_plans WHERE deployment_id = newest.id AND state IN ('held', 'aborted'))
          AND NOT EXISTS (SELECT FROM device_rollbacks WHERE bundle_id = former_bundle.id)
        ORDER BY newest.approval_status, newest.sequence DESC LIMIT 1`,
      [buildId, channelId, share, isLiveAtOnce, maxima.android, maxima.ios, maxima.electron],
    );
    return row ?? null;
  }

  /** The rollout plans of deployments. */
  plansOf(ids: readonly string[]): Promise<RolloutPlan[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(RolloutPlan, 'plan')} FROM rollout_plans AS plan WHERE plan.deployment_id = ANY ($1)`,
      [ids],
    );
  }

  async publicKeys(appId: string): Promise<string[]> {
    const [app] = await this.sql.query<{ keys: string[] }>(
      'SELECT public_keys AS keys FROM apps WHERE id = $1',
      [appId],
    );
    return app?.keys ?? [];
  }

  /** What the signatures of a bundle belong to: its stored files, or its registered zip. */
  signedFiles(bundleId: string): Promise<SignedFile[]> {
    return this.sql.query(
      `SELECT blobs.sha256, bundle_files.signature
         FROM bundle_files JOIN blobs ON blobs.id = bundle_files.blob_id WHERE bundle_files.bundle_id = $1
        UNION ALL
       SELECT checksum, signature FROM bundles WHERE id = $1 AND url IS NOT NULL`,
      [bundleId],
    );
  }
}
