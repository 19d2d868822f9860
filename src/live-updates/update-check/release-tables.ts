import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable, VersionConstraints } from './release-table.js';

/**
 * Newest deployments of a channel that a decision looks at. Enough for many native versions side by side in one
 * channel, and a bound on what one check costs.
 */
const DEPLOYMENTS_PER_CHANNEL = 100;

/** Where release tables come from: an injection token, so that a cache can stand in front of the database. */
export abstract class ReleaseTables {
  /** @returns the table of an app; `null` for an unknown app */
  abstract load(appId: string): Promise<ReleaseTable | null>;
}

/** A deployment as the database returns it, with its channel, build and bundle. */
interface DeploymentRow {
  readonly id: string;
  readonly channelId: string;
  readonly createdAt: Date;
  readonly rolloutPercentage: number;
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

/** Reads release tables from the database: four statements for an app, whatever its size. */
@Injectable()
export class DatabaseReleaseTables extends ReleaseTables {
  constructor(private readonly database: DataSource) {
    super();
  }

  override async load(appId: string): Promise<ReleaseTable | null> {
    const [app] = await this.database.query<{ defaultChannelId: string | null }[]>(
      'SELECT default_channel_id AS "defaultChannelId" FROM apps WHERE id = $1',
      [appId],
    );
    if (app === undefined) return null;
    const [channels, deployments, forced] = await Promise.all([
      this.channels(appId),
      this.deployments(appId),
      this.forcedChannelIds(appId),
    ]);
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

  private channels(appId: string): Promise<Omit<ReleaseChannel, 'deployments'>[]> {
    return this.database.query(
      `SELECT id, name, paused_at AS "pausedAt", expires_at AS "expiresAt", protected_at AS "protectedAt"
         FROM channels WHERE app_id = $1`,
      [appId],
    );
  }

  private deployments(appId: string): Promise<DeploymentRow[]> {
    return this.database.query(
      `SELECT deployment.id, deployment.channel_id AS "channelId", deployment.created_at AS "createdAt",
              deployment.rollout_percentage AS "rolloutPercentage",
              bundle.id AS "bundleId", artifact.type AS "artifactType", artifact.status,
              bundle.signed, bundle.checksum, bundle.signature, bundle.url,
              build.custom_properties AS "customProperties",
              ARRAY[build.min_android_app_version_code, build.max_android_app_version_code,
                    build.eq_android_app_version_code,
                    build.min_ios_app_version_code, build.max_ios_app_version_code, build.eq_ios_app_version_code,
                    build.min_electron_app_version_code, build.max_electron_app_version_code,
                    build.eq_electron_app_version_code] AS versions
         FROM channels AS channel
         CROSS JOIN LATERAL (SELECT * FROM deployments WHERE channel_id = channel.id
                              ORDER BY created_at DESC, id DESC LIMIT $2) AS deployment
         JOIN builds AS build ON build.id = deployment.build_id
         JOIN build_artifacts AS artifact ON artifact.build_id = build.id
         JOIN bundles AS bundle ON bundle.id = artifact.id
        WHERE channel.app_id = $1`,
      [appId, DEPLOYMENTS_PER_CHANNEL],
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
    rolloutPercentage: row.rolloutPercentage,
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
