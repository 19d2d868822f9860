import { Injectable } from '@nestjs/common';
import type { DownloadKind } from '../../native-builds/build-artifacts/download-counts.queries.js';
import type { BlobVariantState } from '../../storage/blob-variants/blob-variant.entity.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import { sql } from '../../database/sql.js';

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
  /** Its Brotli variant; `null`: there is none and never will be, `pending`: it is still to be made. */
  readonly brotli: BrotliVariant | 'pending' | null;
}

/** A file in the content coding `br`. */
export interface BrotliVariant {
  /** The object in storage. */
  readonly objectId: string;
  readonly sizeInBytes: number;
}

type Row = Omit<DownloadableFile, 'brotli'> & {
  readonly state: BlobVariantState | null;
  readonly objectId: string;
  readonly encodedSizeInBytes: number;
};

/** Finds what devices download. */
@Injectable()
export class BundleDownloadsQueries {
  /**
   * A file of a published bundle.
   *
   * @param href its path; `null` for the zip
   */
  async find(appId: string, bundleId: string, href: string | null): Promise<DownloadableFile | null> {
    const [row] = await sql<Row>(
      `SELECT blob.id AS "blobId", blob.sha256, blob.size_in_bytes AS "sizeInBytes",
              blob.damaged_at AS "damagedAt", file.mime_type AS "mimeType", file.signature,
              variant.state, variant.object_id AS "objectId", variant.size_in_bytes AS "encodedSizeInBytes",
              CASE WHEN file.href = '' THEN 'zip' WHEN file.href IN ($4, $5) THEN 'manifest' ELSE 'file' END AS kind
         FROM bundles AS bundle
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
         JOIN bundle_files AS file ON file.bundle_id = bundle.id AND file.href = coalesce($3, '')
         JOIN blobs AS blob ON blob.id = file.blob_id
         LEFT JOIN blob_variants AS variant
           ON variant.blob_id = blob.id AND variant.encoding = 'br' AND artifact.type = 'manifest'
        WHERE bundle.app_id = $1 AND bundle.id = $2
          AND artifact.type = CASE WHEN $3::text IS NULL THEN 'zip' ELSE 'manifest' END`,
      [appId, bundleId, href, MANIFEST_HREF, NAMED_MANIFEST_HREF],
    );
    if (row === undefined) return null;
    const { state, objectId, encodedSizeInBytes, ...file } = row;
    const variants = {
      pending: 'pending',
      ready: { objectId, sizeInBytes: encodedSizeInBytes },
    } as const;
    const brotli = state === 'pending' || state === 'ready' ? variants[state] : null;
    return { ...file, brotli };
  }
}
