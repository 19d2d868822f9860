import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A file that devices may download. */
export interface DownloadableFile {
  readonly blobId: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
  readonly mimeType: string;
  /** Base64. */
  readonly signature: string | null;
}

/** Finds what devices download. */
@Injectable()
export class BundleDownloadsQueries {
  constructor(private readonly database: DataSource) {}

  /**
   * A file of a published bundle.
   *
   * @param href its path; `null` for the zip
   */
  async find(appId: string, bundleId: string, href: string | null): Promise<DownloadableFile | null> {
    const rows = await this.database.query<
      (Omit<DownloadableFile, 'sizeInBytes'> & { sizeInBytes: string })[]
    >(
      `SELECT blob.id AS "blobId", blob.sha256, blob.size_in_bytes AS "sizeInBytes",
              file.mime_type AS "mimeType", file.signature
         FROM bundles AS bundle
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
         JOIN bundle_files AS file ON file.bundle_id = bundle.id AND file.href = coalesce($3, '')
         JOIN blobs AS blob ON blob.id = file.blob_id
        WHERE bundle.app_id = $1 AND bundle.id = $2
          AND artifact.type = CASE WHEN $3::text IS NULL THEN 'zip' ELSE 'manifest' END`,
      [appId, bundleId, href],
    );
    return rows[0] ? { ...rows[0], sizeInBytes: Number(rows[0].sizeInBytes) } : null;
  }
}
