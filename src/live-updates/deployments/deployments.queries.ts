import { Injectable } from '@nestjs/common';
import { SignatureVerifier } from '../bundle-content/signatures.js';
import { sql } from '../../database/sql.js';

@Injectable()
export class DeploymentsQueries {
  /** The bundle of a web build, once it can be delivered. */
  async readyBundle(buildId: string): Promise<{ id: string; signed: boolean } | null> {
    const rows = await sql<{ id: string; signed: boolean }>(
      `SELECT bundles.id, bundles.signed
         FROM build_artifacts JOIN bundles ON bundles.id = build_artifacts.id
        WHERE build_artifacts.build_id = $1 AND build_artifacts.status = 'ready'`,
      [buildId],
    );
    return rows[0] ?? null;
  }

  /**
   * Whether the keys that the app has now verify every signature of a bundle; without keys, whatever it says counts.
   * The bundle may have been signed before the app had these keys.
   */
  async isVerified(appId: string, bundleId: string): Promise<boolean> {
    const [app] = await sql<{ keys: string[] }>('SELECT public_keys AS keys FROM apps WHERE id = $1', [
      appId,
    ]);
    if (app === undefined || app.keys.length === 0) return true;
    const files = await sql<{ sha256: string | null; signature: string | null }>(
      `SELECT blobs.sha256, bundle_files.signature
         FROM bundle_files JOIN blobs ON blobs.id = bundle_files.blob_id WHERE bundle_files.bundle_id = $1
        UNION ALL
       SELECT checksum, signature FROM bundles WHERE id = $1 AND url IS NOT NULL`,
      [bundleId],
    );
    // Of a registered zip nobody may have stated the checksum.
    const known = files.flatMap(({ sha256, signature }) => (sha256 === null ? [] : [{ sha256, signature }]));
    if (known.length < files.length) return false;
    return (await new SignatureVerifier(app.keys).findInvalid(known)).length === 0;
  }

  /** Id of the deployment that the channel delivers first. */
  async newestOf(channelId: string): Promise<string | null> {
    const [row] = await sql<{ id: string }>(
      `SELECT id FROM deployments WHERE channel_id = $1 AND approval_status = 'approved'
        ORDER BY sequence DESC LIMIT 1`,
      [channelId],
    );
    return row?.id ?? null;
  }
}
