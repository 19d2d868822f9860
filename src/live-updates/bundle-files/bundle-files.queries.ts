import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Sql } from '../../database/sql.js';
import type { BuiltZip } from '../../native-builds/runner-builds/web-bundles.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';

/** SQL of the files of bundles. Stateless, so each module that needs it provides its own. */
@Injectable()
export class BundleFilesQueries {
  constructor(private readonly sql: Sql) {}

  /** The bundle of an app, with its id in lower case. @throws NotFoundError */
  async getBundle(appId: string, id: string): Promise<{ readonly id: string }> {
    const [bundle] = await this.sql.query<{ id: string }>(
      'SELECT id FROM bundles WHERE app_id = $1 AND id = $2',
      [appId, id],
    );
    if (bundle === undefined) throw new NotFoundError('Bundle');
    return bundle;
  }

  /** Makes a zip that a runner built the file of its bundle. */
  async putBuiltZip({ id, fileName, content, signature, blobId }: BuiltZip): Promise<void> {
    await this.sql.execute(
      `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, signature, blob_id)
       VALUES ($1, $2, '', $3, 'application/zip', $4, $5, $6, $7)
       ON CONFLICT (bundle_id, href) DO UPDATE SET name = excluded.name, size_in_bytes = excluded.size_in_bytes,
              checksum = excluded.checksum, signature = excluded.signature, blob_id = excluded.blob_id,
              updated_at = now()`,
      [uuid(), id, fileName, content.sizeInBytes, content.sha256, signature, blobId],
    );
  }

  /** Replaces the zip of a bundle by another form of it. */
  async replaceZip(bundleId: string, { sizeInBytes, sha256 }: StagedBlob, blobId: string): Promise<void> {
    await this.sql.execute(
      `UPDATE bundle_files SET size_in_bytes = $2, checksum = $3, blob_id = $4, updated_at = now()
        WHERE bundle_id = $1 AND href = ''`,
      [bundleId, sizeInBytes, sha256, blobId],
    );
  }

  /** Adds a named manifest to its bundle, unless it has one. */
  async addNamedManifest(
    bundleId: string,
    { sizeInBytes, sha256 }: StagedBlob,
    blobId: string,
  ): Promise<void> {
    await this.sql.execute(
      `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, blob_id)
       VALUES ($1, $2, $3, $4, 'application/json', $5, $6, $7) ON CONFLICT DO NOTHING`,
      [uuid(), bundleId, NAMED_MANIFEST_HREF, MANIFEST_HREF, sizeInBytes, sha256, blobId],
    );
  }
}
