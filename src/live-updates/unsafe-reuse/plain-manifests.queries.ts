import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { UnsafeReuse } from '../bundle-manifests/unsafe-reuse.js';

/** Manifests in memory at once: each may list 20,000 files. */
export const BATCH = 20;
/**
 * Manifests of deleted and imported bundles that are kept of an app, the imported ones and the newest builds: each publication
 * of a signed bundle reads and compares all of them in its transaction. Devices that run one of a thousand newer deleted builds
 * are rarer than these.
 */
const MAX_DELETED = 1000;

/** A manifest that devices may have, but its files. */
export interface PlainManifestKey {
  readonly bundleId: string;
  readonly appId: string;
  /** Whether devices are offered it: the manifest of a signed bundle. */
  readonly offered: boolean;
}

export interface PackedFiles {
  readonly files: Buffer;
  /** What devices that run the bundle have instead; `null`: they have `files`. */
  readonly carried: Buffer | null;
}

/** As it is stored. */
export interface StoredManifest extends PackedFiles {
  readonly bundleId: string;
  readonly offered: boolean;
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

  /**
   * Those to compare with, by id: of two manifests that devices only have, neither is built from the other.
   *
   * @param after the id before the first one
   */
  batch({ appId, bundleId, offered }: PlainManifestKey, after: string): Promise<StoredManifest[]> {
    return this.sql.query(
      `SELECT bundle_id AS "bundleId", offered, files, carried FROM plain_manifests
        WHERE app_id = $1 AND bundle_id <> $2 AND bundle_id > $3 AND (offered OR $4)
        ORDER BY bundle_id LIMIT ${BATCH}`,
      [appId, bundleId, after, offered],
    );
  }

  /** A bundle that the app does not have is one of another server. */
  async insert(
    { bundleId, appId, offered }: PlainManifestKey,
    { files, carried }: PackedFiles,
  ): Promise<void> {
    await this.sql.execute(
      `INSERT INTO plain_manifests (app_id, bundle_id, build_number, offered, files, carried)
       VALUES ($1, $2,
               (SELECT build.number FROM build_artifacts AS artifact JOIN builds AS build ON build.id = artifact.build_id
                 WHERE artifact.id = $2 AND build.app_id = $1),
               $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [appId, bundleId, offered, files, carried],
    );
  }

  /** Whether the app has published a bundle with this id itself, as far as Slipway remembers. */
  async isOwn(appId: string, bundleId: string): Promise<boolean> {
    const [row] = await this.sql.query<{ own: boolean }>(
      `SELECT EXISTS (SELECT FROM bundles WHERE app_id = $1 AND id = $2)
           OR EXISTS (SELECT FROM plain_manifests
                       WHERE app_id = $1 AND bundle_id = $2 AND build_number IS NOT NULL) AS own`,
      [appId, bundleId],
    );
    return row?.own ?? false;
  }

  /** Forgets an imported manifest, and what was found about it. */
  async deleteImported(appId: string, bundleId: string): Promise<void> {
    await this.sql.execute(
      'DELETE FROM plain_manifests WHERE app_id = $1 AND bundle_id = $2 AND build_number IS NULL',
      [appId, bundleId],
    );
    await this.sql.execute('DELETE FROM unsafe_reuses WHERE app_id = $1 AND running_bundle_id = $2', [
      appId,
      bundleId,
    ]);
  }

  /**
   * A deleted bundle is no longer offered.
   *
   * @returns whether it was recorded
   */
  async insertReuse(
    appId: string,
    bundleId: string,
    runningBundleId: string,
    { kind, href }: UnsafeReuse,
  ): Promise<boolean> {
    const inserted = await this.sql.execute(
      `INSERT INTO unsafe_reuses (app_id, bundle_id, running_bundle_id, kind, href)
       SELECT $1, id, $3, $4, $5 FROM bundles WHERE id = $2 ON CONFLICT DO NOTHING`,
      [appId, bundleId, runningBundleId, kind, href],
    );
    return inserted > 0;
  }

  /** Forgets the manifests of deleted and imported bundles of an app beyond 1,000. */
  async deleteOldest(appId: string): Promise<void> {
    await this.sql.execute(
      `DELETE FROM plain_manifests WHERE app_id = $1 AND bundle_id IN (
         SELECT bundle_id FROM plain_manifests WHERE app_id = $1 AND bundle_id IN (
           SELECT bundle_id FROM plain_manifests AS plain
            WHERE app_id = $1 AND NOT EXISTS (SELECT FROM bundles WHERE bundles.id = plain.bundle_id)
            ORDER BY build_number DESC NULLS FIRST, created_at DESC, bundle_id OFFSET ${MAX_DELETED})
         FOR UPDATE SKIP LOCKED)`,
      [appId],
    );
  }

  /**
   * Forgets the manifests of deleted bundles that no device has reported for so many days, and notes of which bundles that
   * is so from now on. Devices that were not seen for longer count, too, and those that were deleted with their last report:
   * they may come back, and would build a signed bundle wrongly that was compared with nothing.
   *
   * @returns how many were forgotten
   */
  async deleteUnneeded(days: number): Promise<number> {
    const isNeeded = `(plain.last_reported_at IS NOT NULL
                       OR EXISTS (SELECT FROM bundles WHERE bundles.id = plain.bundle_id AND bundles.app_id = plain.app_id)
                       OR EXISTS (SELECT FROM devices
                                   WHERE devices.bundle_id = plain.bundle_id AND devices.app_id = plain.app_id))`;
    await this.sql.execute(
      `UPDATE plain_manifests AS plain SET unneeded_since = CASE WHEN unneeded_since IS NULL THEN now() END
        WHERE (unneeded_since IS NULL) <> ${isNeeded}`,
    );
    return this.sql.execute(
      `DELETE FROM plain_manifests WHERE (app_id, bundle_id) IN (
         SELECT app_id, bundle_id FROM plain_manifests WHERE unneeded_since <= now() - make_interval(days => $1)
            FOR UPDATE SKIP LOCKED)`,
      [days],
    );
  }
}
