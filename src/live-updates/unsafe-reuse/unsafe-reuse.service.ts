import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import { findUnsafeReuse, type ListedFile, type UnsafeReuse } from '../bundle-content/unsafe-reuse.js';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Manifests in memory at once: each may list 20,000 files. */
const BATCH = 20;

/** A manifest that devices may have as it was uploaded. */
export interface NewManifest {
  readonly bundleId: string;
  readonly appId: string;
  /** Whether devices are offered it: the manifest of a signed bundle. Otherwise it is packed in a zip. */
  readonly offered: boolean;
  readonly files: readonly ListedFile[];
}

/** What devices that run another bundle would do wrong with a new one. */
export interface FoundReuse extends UnsafeReuse {
  readonly runningBundleId: string;
  /** Number of the build of the running bundle. */
  readonly buildNumber: number;
}

interface StoredManifest {
  readonly bundleId: string;
  readonly buildNumber: number;
  readonly offered: boolean;
  readonly files: Buffer;
}

/** Finds out, when a bundle is published, which other bundles of the app devices must not build it from. */
@Injectable()
export class UnsafeReuseService {
  /**
   * Compares a manifest with all others of the app, in both directions, and remembers the result for update checks. To be
   * called in the transaction that publishes; publications of one app wait for each other here.
   *
   * @returns what devices would do wrong with the new bundle, by the bundle that they run, newest build first
   */
  async record(manifest: NewManifest): Promise<FoundReuse[]> {
    const { appId, bundleId } = manifest;
    await sql(`SELECT pg_advisory_xact_lock(hashtext('slipway:plain-manifests'), hashtext($1))`, [appId]);
    const found: FoundReuse[] = [];
    for (let after = Number.MAX_SAFE_INTEGER; ;) {
      const others = await this.batch(appId, bundleId, after);
      for (const other of others) {
        after = other.buildNumber;
        const files = await unpacked(other.files);
        const reuse = manifest.offered ? findUnsafeReuse(manifest.files, files) : null;
        if (reuse !== null) {
          await this.insert(appId, bundleId, other.bundleId, reuse);
          found.push({ ...reuse, runningBundleId: other.bundleId, buildNumber: other.buildNumber });
        }
        const reverse = other.offered ? findUnsafeReuse(files, manifest.files) : null;
        if (reverse !== null) await this.insert(appId, other.bundleId, bundleId, reverse);
      }
      if (others.length < BATCH) break;
    }
    await sql(
      `INSERT INTO plain_manifests (bundle_id, app_id, build_number, offered, files)
       SELECT artifact.id, build.app_id, build.number, $2, $3
         FROM build_artifacts AS artifact JOIN builds AS build ON build.id = artifact.build_id
        WHERE artifact.id = $1 ON CONFLICT DO NOTHING`,
      [bundleId, manifest.offered, await packed(manifest.files)],
    );
    return found;
  }

  /** The bundle that the channel serves to every device now, as far as its deployments say. */
  async servedToEverybody(channelId: string): Promise<string | null> {
    const [row] = await sql<{ id: string }>(
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

  private batch(appId: string, bundleId: string, after: number): Promise<StoredManifest[]> {
    return sql<StoredManifest>(
      `SELECT bundle_id AS "bundleId", build_number AS "buildNumber", offered, files FROM plain_manifests
        WHERE app_id = $1 AND bundle_id <> $2 AND build_number < $3 ORDER BY build_number DESC LIMIT ${BATCH}`,
      [appId, bundleId, after],
    );
  }

  /** Bundles that were deleted are offered to nobody. */
  private async insert(
    appId: string,
    bundleId: string,
    runningBundleId: string,
    { kind, href }: UnsafeReuse,
  ): Promise<void> {
    await sql(
      `INSERT INTO unsafe_reuses (app_id, bundle_id, running_bundle_id, kind, href)
       SELECT $1, id, $3, $4, $5 FROM bundles WHERE id = $2 ON CONFLICT DO NOTHING`,
      [appId, bundleId, runningBundleId, kind, href],
    );
  }
}

function packed(files: readonly ListedFile[]): Promise<Buffer> {
  return compress(JSON.stringify(files.map(({ href, checksum }) => [href, checksum])));
}

async function unpacked(files: Buffer): Promise<ListedFile[]> {
  const rows = JSON.parse((await decompress(files)).toString()) as [string, string][];
  return rows.map(([href, checksum]) => ({ href, checksum }));
}
