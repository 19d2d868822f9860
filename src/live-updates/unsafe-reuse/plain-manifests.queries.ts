import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { UnsafeReuse } from '../bundle-manifests/unsafe-reuse.js';

/** Manifests in memory at once: each may list 20,000 files. */
export const BATCH = 20;
/**
 * Manifests of deleted bundles that are kept of an app, the newest builds: each publication of a signed bundle reads and
 * compares all of them in its transaction. Devices that run one of a thousand newer deleted builds are rarer than these.
 */
const MAX_DELETED = 1000;

/** A manifest that devices may have, but its files. */
export interface PlainManifestKey {
  readonly bundleId: string;
  readonly appId: string;
  /** Whether devices are offered it: the manifest of a signed bundle. */
  readonly offered: boolean;
}

/** As it is stored. */
export interface StoredManifest {
  readonly bundleId: string;
  readonly buildNumber: number;
  readonly offered: boolean;
  readonly files: Buffer;
}

@Injectable()
export class PlainManifestsQueries {
  constructor(private readonly sql: Sql) {}

  /** Waits for other comparisons of the app until the transaction ends. */
  async lock(appId: string): Promise<void> {
    await this.sql.query(`SELECT pg_advisory_xact_lock(hashtext('slipway:plain-manifests'), hashtext($1))`, [
      appId,
    ]);
  }

  /** Those to compare with: of two manifests that devices only have, neither is built from the other. */
  batch({ appId, bundleId, offered }: PlainManifestKey, after: number): Promise<StoredManifest[]> {
    return this.sql.query(
      `SELECT bundle_id AS "bundleId", build_number AS "buildNumber", offered, files FROM plain_manifests
        WHERE app_id = $1 AND bundle_id <> $2 AND build_number < $3 AND (offered OR $4)
        ORDER BY build_number DESC LIMIT ${BATCH}`,
      [appId, bundleId, after, offered],
    );
  }

  /** @param files packed */
  async insert({ bundleId, offered }: PlainManifestKey, files: Buffer): Promise<void> {
    await this.sql.execute(
      `INSERT INTO plain_manifests (bundle_id, app_id, build_number, offered, files)
       SELECT artifact.id, build.app_id, build.number, $2, $3
         FROM build_artifacts AS artifact JOIN builds AS build ON build.id = artifact.build_id
        WHERE artifact.id = $1 ON CONFLICT DO NOTHING`,
      [bundleId, offered, files],
    );
  }

  /** A bundle that was deleted is not offered any more. */
  async insertReuse(
    appId: string,
    bundleId: string,
    runningBundleId: string,
    { kind, href }: UnsafeReuse,
  ): Promise<void> {
    await this.sql.execute(
      `INSERT INTO unsafe_reuses (app_id, bundle_id, running_bundle_id, kind, href)
       SELECT $1, id, $3, $4, $5 FROM bundles WHERE id = $2 ON CONFLICT DO NOTHING`,
      [appId, bundleId, runningBundleId, kind, href],
    );
  }

  /** The bundle that the channel serves to every device now, as far as its deployments say. */
  async servedToEverybody(channelId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT bundle.id
         FROM deployments AS deployment
         JOIN build_artifacts AS artifact ON artifact.build_id = deployment.build_id AND artifact.status = 'ready'
         JOIN bundles AS bundle ON bundle.id = artifact.id
        WHERE deployment.channel_id = $1 AND deployment.approval_status = 'approved'
          AND deployment.rollout_percentage >= 1
        ORDER BY deployment.sequence DESC LIMIT 1`,
      [channelId],
    );
    return row?.id ?? null;
  }

  /** Forgets the manifests of deleted bundles of an app beyond the newest 1,000. */
  async deleteOldest(appId: string): Promise<void> {
    await this.sql.execute(
      `DELETE FROM plain_manifests WHERE bundle_id IN (
         SELECT bundle_id FROM plain_manifests WHERE bundle_id IN (
           SELECT bundle_id FROM plain_manifests AS plain
            WHERE app_id = $1 AND NOT EXISTS (SELECT FROM bundles WHERE bundles.id = plain.bundle_id)
            ORDER BY build_number DESC OFFSET ${MAX_DELETED}) FOR UPDATE SKIP LOCKED)`,
      [appId],
    );
  }

  /**
   * Forgets the manifests of deleted bundles that no device has reported for so many days, and notes of which bundles that
   * is so from now on. Devices that were not seen for longer count as long as the app remembers them.
   *
   * @returns how many were forgotten
   */
  async deleteUnneeded(days: number): Promise<number> {
    const isNeeded = `(EXISTS (SELECT FROM bundles WHERE bundles.id = plain.bundle_id)
                       OR EXISTS (SELECT FROM devices
                                   WHERE devices.bundle_id = plain.bundle_id AND devices.app_id = plain.app_id))`;
    await this.sql.execute(
      `UPDATE plain_manifests AS plain SET unneeded_since = CASE WHEN unneeded_since IS NULL THEN now() END
        WHERE (unneeded_since IS NULL) <> ${isNeeded}`,
    );
    return this.sql.execute(
      `DELETE FROM plain_manifests WHERE bundle_id IN (
         SELECT bundle_id FROM plain_manifests WHERE unneeded_since <= now() - make_interval(days => $1)
            FOR UPDATE SKIP LOCKED)`,
      [days],
    );
  }
}
