import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { ReleaseBundle, ReleaseChannel } from './release-table.js';
import { MAX_COUNTS } from './rollback-counts.js';

/**
 * Newest deployments of a channel that a decision examines. Enough for many native versions side by side in one
 * channel, and a bound on what one check costs.
 */
export const DEPLOYMENTS_PER_CHANNEL = 100;
/** Newest deployments that wait for approvals, so that a trace can explain them. They do not count towards the others. */
const PENDING_PER_CHANNEL = 10;

/** Newest bundles of an app that count as known, where it matters which bundles devices run: 1 MB of memory. */
const MAX_KNOWN = 10_000;

/** Files with a slash first are derived from the others, and made again when they are damaged. */
const RELEASE_COLUMNS = `
              bundle.id AS "bundleId", artifact.type AS "artifactType", artifact.status,
              bundle.signed, bundle.checksum, bundle.signature, bundle.url,
              bundle.expires_at AS "expiresAt",
              (SELECT json_object_agg(running_bundle_id, kind) FROM unsafe_reuses
                WHERE unsafe_reuses.bundle_id = bundle.id) AS "unsafeReuses",
              EXISTS (SELECT FROM bundle_files AS file JOIN blobs AS blob ON blob.id = file.blob_id
                       WHERE file.bundle_id = bundle.id AND file.href NOT LIKE '/%'
                         AND blob.damaged_at IS NOT NULL) AS damaged,
              artifact.type = 'manifest' AND EXISTS (
                SELECT FROM bundle_files AS file
                 WHERE file.bundle_id = bundle.id AND file.size_in_bytes = 0) AS "hasEmptyFiles",
              (SELECT json_build_object('checksum', zip.checksum, 'smallerThan', json_build_object(
                        'br', zip.brotli_files_bytes > blob.size_in_bytes,
                        'gzip', zip.gzip_files_bytes > blob.size_in_bytes))
                 FROM generated_zips AS zip JOIN blobs AS blob ON blob.id = zip.blob_id
                WHERE zip.bundle_id = bundle.id AND blob.damaged_at IS NULL) AS "generatedZip",
              build.custom_properties AS "customProperties",
              ARRAY[build.min_android_app_version_code, build.max_android_app_version_code,
                    build.eq_android_app_version_code,
                    build.min_ios_app_version_code, build.max_ios_app_version_code, build.eq_ios_app_version_code,
                    build.min_electron_app_version_code, build.max_electron_app_version_code,
                    build.eq_electron_app_version_code] AS versions`;
const RELEASE_JOINS = `
         JOIN build_artifacts AS artifact ON artifact.build_id = build.id
         JOIN bundles AS bundle ON bundle.id = artifact.id`;

/** A build as the database returns it, with its bundle. */
export interface ReleaseRow extends Omit<ReleaseBundle, 'id' | 'unsafeReuses'> {
  readonly bundleId: string;
  readonly unsafeReuses: Record<string, 'content' | 'absent'> | null;
  /** min, max, eq of Android, iOS and Electron. */
  readonly versions: readonly (string | null)[];
}

/** A deployment as the database returns it, with its channel. */
export interface DeploymentRow extends ReleaseRow {
  readonly id: string;
  readonly channelId: string;
  readonly createdAt: Date;
  readonly sequence: number;
  readonly approvalStatus: 'approved' | 'pending';
  readonly rolloutPercentage: number;
  /** Of the deployment, for Android, iOS and Electron; `null`: none. */
  readonly maxima: readonly (string | null)[] | null;
}

/** An app as the database returns it. */
export interface AppRow {
  readonly id: string;
  readonly defaultChannelId: string | null;
  readonly rollbacks: Buffer | null;
  /** `null`: it does not matter which bundles devices run. */
  readonly knownBundles: readonly string[] | null;
}

/** A channel as the database returns it. */
export type ChannelRow = Omit<ReleaseChannel, 'deployments' | 'retiredBundles'> & {
  readonly appId: string;
  readonly retiredBundles: Record<string, number> | null;
};

/** A device with a channel that is forced on it, as the database returns it. */
export interface ForcedDevice {
  readonly appId: string;
  readonly id: string;
  readonly channelId: string;
}

/** Of deployments: without texts for people, which no decision reads. */
const DEPLOYMENT_COLUMNS = `id, channel_id, build_id, created_at, sequence, approval_status, rollout_percentage,
  max_android_app_version_code, max_ios_app_version_code, max_electron_app_version_code`;

/** The four statements of release tables, for however many apps of whatever size, and what else decisions read. */
@Injectable()
export class ReleaseTableQueries {
  constructor(private readonly sql: Sql) {}

  /** Ids of all apps. */
  async appIds(): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>('SELECT id FROM apps');
    return rows.map(({ id }) => id);
  }

  /** What a deployment of the build would deliver; `null` when the build has no bundle. */
  async release(appId: string, buildId: string): Promise<ReleaseRow | null> {
    const [row] = await this.sql.query<ReleaseRow>(
      `SELECT ${RELEASE_COLUMNS} FROM builds AS build ${RELEASE_JOINS}
        WHERE build.app_id = $1 AND build.id = $2`,
      [appId, buildId],
    );
    return row ?? null;
  }

  /** Apps, with the counts of roll-backs as bytes: see `RollbackCounts.fromLoaded`. */
  apps(appIds: readonly string[]): Promise<AppRow[]> {
    return this.sql.query(
      `SELECT id, default_channel_id AS "defaultChannelId",
              (SELECT string_agg(key || int2send(least(count - count_when_healthy, 999)::smallint)
                                 || int2send(least(count, 999)::smallint), '' ORDER BY last_at)
                 FROM (SELECT * FROM device_rollbacks WHERE app_id = apps.id
                        ORDER BY last_at DESC LIMIT $2) AS newest) AS rollbacks,
              CASE WHEN withhold_from_unknown_bundles THEN ARRAY(
                SELECT bundle_id::text FROM plain_manifests WHERE app_id = apps.id
                 UNION
                (SELECT id::text FROM bundles WHERE app_id = apps.id ORDER BY created_at DESC LIMIT $3)
              ) END AS "knownBundles"
         FROM apps WHERE id = ANY ($1)`,
      [appIds, MAX_COUNTS, MAX_KNOWN],
    );
  }

  /** Their channels. */
  channels(appIds: readonly string[]): Promise<ChannelRow[]> {
    return this.sql.query(
      `SELECT app_id AS "appId", id, name, paused_at AS "pausedAt", expires_at AS "expiresAt",
              protected_at AS "protectedAt", rollback_limit AS "rollbackLimit",
              (SELECT json_object_agg(bundle_id, sequence) FROM retired_deployments
                WHERE channel_id = channels.id) AS "retiredBundles"
         FROM channels WHERE app_id = ANY ($1)`,
      [appIds],
    );
  }

  /** The newest deployments of their channels. @param withoutBuildId a build whose deployments are left out */
  deployments(appIds: readonly string[], withoutBuildId: string | null): Promise<DeploymentRow[]> {
    return this.sql.query(
      `SELECT deployment.id, deployment.channel_id AS "channelId", deployment.created_at AS "createdAt",
              deployment.sequence,
              deployment.approval_status AS "approvalStatus",
              deployment.rollout_percentage AS "rolloutPercentage",
              CASE WHEN num_nonnulls(deployment.max_android_app_version_code, deployment.max_ios_app_version_code,
                                     deployment.max_electron_app_version_code) > 0
                   THEN ARRAY[deployment.max_android_app_version_code, deployment.max_ios_app_version_code,
                              deployment.max_electron_app_version_code] END AS maxima,
              ${RELEASE_COLUMNS}
         FROM channels AS channel
         CROSS JOIN LATERAL ((SELECT ${DEPLOYMENT_COLUMNS} FROM deployments
                               WHERE channel_id = channel.id AND ($3::uuid IS NULL OR build_id <> $3)
                                 AND approval_status = 'approved'
                               ORDER BY sequence DESC LIMIT $2)
                             UNION ALL
                             (SELECT ${DEPLOYMENT_COLUMNS} FROM deployments
                               WHERE channel_id = channel.id AND ($3::uuid IS NULL OR build_id <> $3)
                                 AND approval_status = 'pending'
                               ORDER BY sequence DESC LIMIT $4)) AS deployment
         JOIN builds AS build ON build.id = deployment.build_id ${RELEASE_JOINS}
        WHERE channel.app_id = ANY ($1)`,
      [appIds, DEPLOYMENTS_PER_CHANNEL, withoutBuildId, PENDING_PER_CHANNEL],
    );
  }

  /** Their devices with a forced channel. */
  forcedDevices(appIds: readonly string[]): Promise<ForcedDevice[]> {
    return this.sql.query(
      `SELECT app_id AS "appId", id, forced_channel_id AS "channelId" FROM devices
        WHERE app_id = ANY ($1) AND forced_channel_id IS NOT NULL`,
      [appIds],
    );
  }
}
