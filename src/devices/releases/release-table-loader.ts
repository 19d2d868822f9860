import { Injectable } from '@nestjs/common';
import { parallelUnlessInTransaction } from '../../database/transactions/transaction.js';
import type {
  GeneratedZip,
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
  UnsafeReuses,
  VersionConstraint,
  VersionConstraints,
} from './release-table.js';
import { sql } from '../../database/sql.js';
import { MAX_COUNTS, RollbackCounts } from './rollback-counts.js';

/**
 * Newest deployments of a channel that a decision examines. Enough for many native versions side by side in one
 * channel, and a bound on what one check costs.
 */
export const DEPLOYMENTS_PER_CHANNEL = 100;
/** Newest deployments that wait for approvals, so that a trace can explain them. They do not count towards the others. */
const PENDING_PER_CHANNEL = 10;

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

/** What a deployment delivers, and to whom. */
export type Release = Pick<ReleaseDeployment, 'constraints' | 'bundle'>;

/** A build as the database returns it, with its bundle. */
interface ReleaseRow {
  readonly bundleId: string;
  readonly artifactType: 'zip' | 'manifest';
  readonly status: 'pending' | 'ready';
  readonly signed: boolean;
  readonly checksum: string | null;
  readonly signature: string | null;
  readonly url: string | null;
  readonly expiresAt: Date | null;
  readonly unsafeReuses: Record<string, 'content' | 'absent'> | null;
  readonly damaged: boolean;
  readonly generatedZip: GeneratedZip | null;
  readonly customProperties: Record<string, string> | null;
  /** min, max, eq of Android, iOS and Electron. */
  readonly versions: readonly (string | null)[];
}

/** A deployment as the database returns it, with its channel. */
interface DeploymentRow extends ReleaseRow {
  readonly id: string;
  readonly channelId: string;
  readonly createdAt: Date;
  readonly sequence: number;
  readonly approvalStatus: 'approved' | 'pending';
  readonly rolloutPercentage: number;
}

/** An app as the database returns it. */
interface AppRow {
  readonly id: string;
  readonly defaultChannelId: string | null;
  readonly rollbacks: Buffer | null;
}

/** A channel as the database returns it. */
type ChannelRow = Omit<ReleaseChannel, 'deployments' | 'retiredBundles'> & {
  readonly appId: string;
  readonly retiredBundles: Record<string, number> | null;
};

/** A device with a channel that is forced on it, as the database returns it. */
interface ForcedDevice {
  readonly appId: string;
  readonly id: string;
  readonly channelId: string;
}

/** Reads release tables from the database: four statements, for however many apps of whatever size. */
@Injectable()
export class ReleaseTableLoader {
  /** @returns the table of an app; `null` for an unknown app */
  async load(appId: string): Promise<ReleaseTable | null> {
    return (await this.loadMany([appId])).get(appId) ?? null;
  }

  /** @param buildId a build whose deployments are left out, as if they were deleted */
  async loadWithout(appId: string, buildId: string): Promise<ReleaseTable | null> {
    return (await this.loadMany([appId], buildId)).get(appId) ?? null;
  }

  /** @returns the tables of the apps that exist */
  async loadMany(
    appIds: readonly string[],
    withoutBuildId: string | null = null,
  ): Promise<Map<string, ReleaseTable>> {
    const apps = await this.apps(appIds);
    if (apps.length === 0) return new Map();
    const [channels, deployments, forced] = await parallelUnlessInTransaction(
      () => this.channels(appIds),
      () => this.deployments(appIds, withoutBuildId),
      () => this.forcedChannelIds(appIds),
    );
    const channelsOf = Map.groupBy(channels, ({ appId }) => appId);
    const deploymentsTo = Map.groupBy(deployments, ({ channelId }) => channelId);
    const forcedIn = Map.groupBy(forced, ({ appId }) => appId);
    return new Map(
      apps.map(({ id, defaultChannelId, rollbacks }) => [
        id,
        {
          appId: id,
          defaultChannelId,
          channels: (channelsOf.get(id) ?? []).map((channel) =>
            toReleaseChannel(channel, deploymentsTo.get(channel.id) ?? []),
          ),
          forcedChannelIds: toForcedChannelIds(forcedIn.get(id)),
          rollbacks: RollbackCounts.fromLoaded(rollbacks),
        },
      ]),
    );
  }

  /** Ids of all apps. */
  async appIds(): Promise<string[]> {
    const rows = await sql<{ id: string }>('SELECT id FROM apps');
    return rows.map(({ id }) => id);
  }

  /** What a deployment of the build would deliver; `null` when the build has no bundle. */
  async releaseOf(appId: string, buildId: string): Promise<Release | null> {
    const [row] = await sql<ReleaseRow>(
      `SELECT ${RELEASE_COLUMNS} FROM builds AS build ${RELEASE_JOINS}
        WHERE build.app_id = $1 AND build.id = $2`,
      [appId, buildId],
    );
    return row === undefined ? null : toRelease(row);
  }

  /** The counts of roll-backs come as bytes: see `RollbackCounts.fromLoaded`. */
  private apps(appIds: readonly string[]): Promise<AppRow[]> {
    return sql(
      `SELECT id, default_channel_id AS "defaultChannelId",
              (SELECT string_agg(key || int2send(least(count, 999)::smallint), '' ORDER BY last_at)
                 FROM (SELECT * FROM device_rollbacks WHERE app_id = apps.id
                        ORDER BY last_at DESC LIMIT $2) AS newest) AS rollbacks
         FROM apps WHERE id = ANY ($1)`,
      [appIds, MAX_COUNTS],
    );
  }

  private channels(appIds: readonly string[]): Promise<ChannelRow[]> {
    return sql(
      `SELECT app_id AS "appId", id, name, paused_at AS "pausedAt", expires_at AS "expiresAt",
              protected_at AS "protectedAt", rollback_limit AS "rollbackLimit",
              (SELECT json_object_agg(bundle_id, sequence) FROM retired_deployments
                WHERE channel_id = channels.id) AS "retiredBundles"
         FROM channels WHERE app_id = ANY ($1)`,
      [appIds],
    );
  }

  private deployments(appIds: readonly string[], withoutBuildId: string | null): Promise<DeploymentRow[]> {
    return sql(
      `SELECT deployment.id, deployment.channel_id AS "channelId", deployment.created_at AS "createdAt",
              deployment.sequence,
              deployment.approval_status AS "approvalStatus",
              deployment.rollout_percentage AS "rolloutPercentage",
              ${RELEASE_COLUMNS}
         FROM channels AS channel
         CROSS JOIN LATERAL ((SELECT * FROM deployments
                               WHERE channel_id = channel.id AND ($3::uuid IS NULL OR build_id <> $3)
                                 AND approval_status = 'approved'
                               ORDER BY sequence DESC LIMIT $2)
                             UNION ALL
                             (SELECT * FROM deployments
                               WHERE channel_id = channel.id AND ($3::uuid IS NULL OR build_id <> $3)
                                 AND approval_status = 'pending'
                               ORDER BY sequence DESC LIMIT $4)) AS deployment
         JOIN builds AS build ON build.id = deployment.build_id ${RELEASE_JOINS}
        WHERE channel.app_id = ANY ($1)`,
      [appIds, DEPLOYMENTS_PER_CHANNEL, withoutBuildId, PENDING_PER_CHANNEL],
    );
  }

  private forcedChannelIds(appIds: readonly string[]): Promise<ForcedDevice[]> {
    return sql(
      `SELECT app_id AS "appId", id, forced_channel_id AS "channelId" FROM devices
        WHERE app_id = ANY ($1) AND forced_channel_id IS NOT NULL`,
      [appIds],
    );
  }
}

function toForcedChannelIds(devices: readonly ForcedDevice[] | undefined): ReadonlyMap<string, string> {
  if (devices === undefined) return NONE_FORCED;
  return new Map(devices.map(({ id, channelId }) => [id, channelId]));
}

function toReleaseChannel(
  { id, name, pausedAt, expiresAt, protectedAt, rollbackLimit, retiredBundles: retired }: ChannelRow,
  rows: readonly DeploymentRow[],
): ReleaseChannel {
  const deployments = rows.map(toReleaseDeployment);
  const retiredBundles = retired === null ? NONE_RETIRED : new Map(Object.entries(retired));
  return { id, name, pausedAt, expiresAt, protectedAt, rollbackLimit, deployments, retiredBundles };
}

function toReleaseDeployment(row: DeploymentRow): ReleaseDeployment {
  const { constraints, bundle } = toRelease(row);
  return {
    id: row.id,
    createdAt: row.createdAt,
    sequence: row.sequence,
    approvalStatus: row.approvalStatus,
    rolloutPercentage: row.rolloutPercentage,
    constraints,
    bundle,
  };
}

function toRelease(row: ReleaseRow): Release {
  return {
    constraints: toConstraints(row.versions),
    bundle: {
      id: row.bundleId,
      artifactType: row.artifactType,
      status: row.status,
      signed: row.signed,
      checksum: row.checksum,
      signature: row.signature,
      url: row.url,
      expiresAt: row.expiresAt,
      unsafeReuses: row.unsafeReuses === null ? NO_REUSES : new Map(Object.entries(row.unsafeReuses)),
      damaged: row.damaged,
      generatedZip: row.generatedZip,
      customProperties: row.customProperties,
    },
  };
}

/** Shared, because most have no constraints and tens of thousands of tables are in memory. */
const NO_CONSTRAINT: VersionConstraint = { min: null, max: null, eq: null };
const NO_CONSTRAINTS: VersionConstraints = {
  android: NO_CONSTRAINT,
  ios: NO_CONSTRAINT,
  electron: NO_CONSTRAINT,
};
const NO_REUSES: UnsafeReuses = new Map();
const NONE_RETIRED: ReleaseChannel['retiredBundles'] = new Map();
const NONE_FORCED: ReadonlyMap<string, string> = new Map();

function toConstraints(versions: readonly (string | null)[]): VersionConstraints {
  if (versions.every((version) => version === null)) return NO_CONSTRAINTS;
  const family = (start: number): VersionConstraint => ({
    min: versions[start] ?? null,
    max: versions[start + 1] ?? null,
    eq: versions[start + 2] ?? null,
  });
  return { android: family(0), ios: family(3), electron: family(6) };
}
