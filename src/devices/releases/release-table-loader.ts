import { Injectable } from '@nestjs/common';
import type { NativeMaxima } from '../../common/native-maxima.js';
import { parallelUnlessInTransaction } from '../../database/transactions/transaction.js';
import type {
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
  UnsafeReuses,
  VersionConstraint,
  VersionConstraints,
} from './release-table.js';
import {
  type ChannelRow,
  type DeploymentRow,
  type ForcedDevice,
  type ReleaseRow,
  ReleaseTableQueries,
} from './release-table.queries.js';
import { RollbackCounts } from './rollback-counts.js';
import { withMaxima } from './version-maxima.js';

/** What a deployment delivers, and to whom. */
export type Release = Pick<ReleaseDeployment, 'constraints' | 'bundle'>;

/** Reads release tables from the database: four statements, for however many apps of whatever size. */
@Injectable()
export class ReleaseTableLoader {
  constructor(private readonly queries: ReleaseTableQueries) {}

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
    const apps = await this.queries.apps(appIds);
    if (apps.length === 0) return new Map();
    const [channels, deployments, forced] = await parallelUnlessInTransaction(
      () => this.queries.channels(appIds),
      () => this.queries.deployments(appIds, withoutBuildId),
      () => this.queries.forcedDevices(appIds),
    );
    const channelsOf = Map.groupBy(channels, ({ appId }) => appId);
    const deploymentsTo = Map.groupBy(deployments, ({ channelId }) => channelId);
    const forcedIn = Map.groupBy(forced, ({ appId }) => appId);
    return new Map(
      apps.map(({ id, defaultChannelId, rollbacks, knownBundles }) => [
        id,
        {
          appId: id,
          defaultChannelId,
          channels: (channelsOf.get(id) ?? []).map((channel) =>
            toReleaseChannel(channel, deploymentsTo.get(channel.id) ?? []),
          ),
          forcedChannelIds: toForcedChannelIds(forcedIn.get(id)),
          rollbacks: RollbackCounts.fromLoaded(rollbacks),
          knownBundles: knownBundles && new Set(knownBundles),
        },
      ]),
    );
  }

  /** Ids of all apps. */
  appIds(): Promise<string[]> {
    return this.queries.appIds();
  }

  /** What a deployment of the build would deliver; `null` when the build has no bundle. */
  async releaseOf(appId: string, buildId: string): Promise<Release | null> {
    const row = await this.queries.release(appId, buildId);
    return row === null ? null : toRelease(row);
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
    constraints: row.maxima === null ? constraints : withMaxima(constraints, toMaxima(row.maxima)),
    bundle,
  };
}

function toMaxima([android = null, ios = null, electron = null]: readonly (string | null)[]): NativeMaxima {
  return { android, ios, electron };
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
      hasEmptyFiles: row.hasEmptyFiles,
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
