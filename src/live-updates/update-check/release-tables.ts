import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { togetherOrInOrder } from '../../database/joining-data-source.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable, VersionConstraints } from './release-table.js';

/**
 * Newest deployments of a channel that a decision looks at. Enough for many native versions side by side in one
 * channel, and a bound on what one check costs.
 */
export const DEPLOYMENTS_PER_CHANNEL = 100;
/** Newest deployments that wait for approvals, which are there to be explained: they take no place of the others. */
const PENDING_PER_CHANNEL = 10;

/** Where release tables come from: an injection token, so that a cache can stand in front of the database. */
export abstract class ReleaseTables {
  /** @returns the table of an app; `null` for an unknown app */
  abstract load(appId: string): Promise<ReleaseTable | null>;
}

const RELEASE_COLUMNS = `
              bundle.id AS "bundleId", artifact.type AS "artifactType", artifact.status,
              bundle.signed, bundle.checksum, bundle.signature, bundle.url,
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
  readonly customProperties: Record<string, string> | null;
  /** min, max, eq of Android, iOS and Electron. */
  readonly versions: readonly (string | null)[];
}

/** A deployment as the database returns it, with its channel. */
interface DeploymentRow extends ReleaseRow {
  readonly id: string;
  readonly channelId: string;
  readonly createdAt: Date;
  /** A `bigint`. */
  readonly sequence: string;
  readonly approvalStatus: 'approved' | 'pending';
  readonly rolloutPercentage: number;
}

/** Reads release tables from the database: four statements for an app, whatever its size. */
@Injectable()
export class DatabaseReleaseTables extends ReleaseTables {
  constructor(private readonly database: DataSource) {
    super();
  }

  /** @param withoutBuildId a build whose deployments are left out, as if they were deleted */
  override async load(appId: string, withoutBuildId: string | null = null): Promise<ReleaseTable | null> {
    const [app] = await this.database.query<{ defaultChannelId: string | null }[]>(
      'SELECT default_channel_id AS "defaultChannelId" FROM apps WHERE id = $1',
      [appId],
    );
    if (app === undefined) return null;
    const [channels, deployments, forced] = await togetherOrInOrder(
      () => this.channels(appId),
      () => this.deployments(appId, withoutBuildId),
      () => this.forcedChannelIds(appId),
    );
    const byChannel = Map.groupBy(deployments, ({ channelId }) => channelId);
    return {
      appId,
      defaultChannelId: app.defaultChannelId,
      channels: channels.map((channel) => ({
        ...channel,
        deployments: (byChannel.get(channel.id) ?? []).map(toReleaseDeployment),
      })),
      forcedChannelIds: forced,
    };
  }

  /** What a deployment of the build would deliver; `null` when the build has no bundle. */
  async releaseOf(appId: string, buildId: string): Promise<Release | null> {
    const [row] = await this.database.query<ReleaseRow[]>(
      `SELECT ${RELEASE_COLUMNS} FROM builds AS build ${RELEASE_JOINS}
        WHERE build.app_id = $1 AND build.id = $2`,
      [appId, buildId],
    );
    return row === undefined ? null : toRelease(row);
  }

  private channels(appId: string): Promise<Omit<ReleaseChannel, 'deployments'>[]> {
    return this.database.query(
      `SELECT id, name, paused_at AS "pausedAt", expires_at AS "expiresAt", protected_at AS "protectedAt"
         FROM channels WHERE app_id = $1`,
      [appId],
    );
  }

  private deployments(appId: string, withoutBuildId: string | null): Promise<DeploymentRow[]> {
    return this.database.query(
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
        WHERE channel.app_id = $1`,
      [appId, DEPLOYMENTS_PER_CHANNEL, withoutBuildId, PENDING_PER_CHANNEL],
    );
  }

  private async forcedChannelIds(appId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ id: string; channelId: string }[]>(
      `SELECT id, forced_channel_id AS "channelId" FROM devices
        WHERE app_id = $1 AND forced_channel_id IS NOT NULL`,
      [appId],
    );
    return new Map(rows.map(({ id, channelId }) => [id, channelId]));
  }
}

function toReleaseDeployment(row: DeploymentRow): ReleaseDeployment {
  return {
    id: row.id,
    createdAt: row.createdAt,
    sequence: Number(row.sequence),
    approvalStatus: row.approvalStatus,
    rolloutPercentage: row.rolloutPercentage,
    ...toRelease(row),
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
      customProperties: row.customProperties,
    },
  };
}

function toConstraints(versions: readonly (string | null)[]): VersionConstraints {
  const family = (start: number): VersionConstraints['android'] => ({
    min: versions[start] ?? null,
    max: versions[start + 1] ?? null,
    eq: versions[start + 2] ?? null,
  });
  return { android: family(0), ios: family(3), electron: family(6) };
}
