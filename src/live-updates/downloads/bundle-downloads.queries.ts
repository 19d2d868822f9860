import { Injectable } from '@nestjs/common';
import type { DownloadKind } from '../../native-builds/build-artifacts/download-counts.queries.js';
import type { EncodedBlob } from '../../storage/blob-downloads/download-form.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import { Sql } from '../../database/sql.js';

/** A file that devices may download. */
export interface DownloadableFile {
  readonly blobId: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
  /** When the stored bytes were found to be damaged; `null`: they are not known to be. */
  readonly damagedAt: Date | null;
  readonly mimeType: string;
  /** Base64. */
  readonly signature: string | null;
  readonly kind: Exclude<DownloadKind, 'artifact'>;
  /** In the content codings in which it exists. */
  readonly encoded: readonly EncodedBlob[];
  /** Whether it has, or may get, content codings. */
  readonly isCompressible: boolean;
  /** Whether some of them are still to be made, or to be replaced by smaller ones. */
  readonly isChanging: boolean;
}

/** Finds what devices download. */
@Injectable()
export class BundleDownloadsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * A file of a published bundle.
   *
   * @param href its path; `null` for the zip
   */
  async find(appId: string, bundleId: string, href: string | null): Promise<DownloadableFile | null> {
    const [file] = await this.sql.query<DownloadableFile>(
      `SELECT blob.id AS "blobId", blob.sha256, blob.size_in_bytes AS "sizeInBytes",
              blob.damaged_at AS "damagedAt", file.mime_type AS "mimeType", file.signature,
              variants.*,
              CASE WHEN file.href = '' THEN 'zip' WHEN file.href IN ($4, $5) THEN 'manifest' ELSE 'file' END AS kind
         FROM bundles AS bundle
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
         JOIN bundle_files AS file ON file.bundle_id = bundle.id AND file.href = coalesce($3, '')
         JOIN blobs AS blob ON blob.id = file.blob_id
        CROSS JOIN LATERAL (
          SELECT count(*) > 0 AS "isCompressible", coalesce(bool_or(state <> 'ready'), false) AS "isChanging",
                 coalesce(json_agg(json_build_object(
                     'encoding', encoding, 'objectId', object_id, 'sizeInBytes', size_in_bytes,
                     'sha256', blob_variants.sha256))
                   FILTER (WHERE object_id IS NOT NULL), '[]') AS encoded
            FROM blob_variants WHERE blob_id = blob.id AND state <> 'useless' AND artifact.type = 'manifest'
        ) AS variants
        WHERE bundle.app_id = $1 AND bundle.id = $2
          AND artifact.type = CASE WHEN $3::text IS NULL THEN 'zip' ELSE 'manifest' END`,
      [appId, bundleId, href, MANIFEST_HREF, NAMED_MANIFEST_HREF],
    );
    return file ?? null;
  }
}
