import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';
import { NAMED_MANIFEST_HREF } from '../../bundle-manifests/named-manifest.js';

/** A file of a bundle with the bytes that are stored of it. */
export interface UploadedFile {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly mimeType: string;
  readonly signature: string | null;
  /** `null` until the bytes have arrived. */
  readonly blobId: string | null;
  /** Of the stored bytes, lower-case hexadecimal; `null` until they have arrived. */
  readonly sha256: string | null;
  /** Of the stored bytes, else as announced. */
  readonly sizeInBytes: number;
  /** When the stored bytes were last known to be these; `null` until they have arrived. */
  readonly verifiedAt: Date | null;
}

/** A file whose bytes have arrived. */
export type CompleteFile = UploadedFile & { blobId: string; sha256: string; verifiedAt: Date };

/** Whether the bytes of a file have arrived. */
export function isComplete(file: UploadedFile): file is CompleteFile {
  return file.blobId !== null;
}

/** A zip that may be published. */
export interface VerifiedZip {
  readonly name: string;
  readonly sizeInBytes: number;
  readonly blobId: string;
}

/** SQL about the files of bundles that are to be published, with their blobs. */
@Injectable()
export class UploadedFilesQueries {
  constructor(private readonly sql: Sql) {}

  /** How many files a bundle has. */
  async count(bundleId: string): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM bundle_files WHERE bundle_id = $1 AND href <> $2',
      [bundleId, NAMED_MANIFEST_HREF],
    );
    return row?.count ?? 0;
  }

  /** How many files of a manifest bundle lack a variant that is still to be made, its named manifest among them. */
  async countUncompressed(bundleId: string): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count
         FROM bundle_files AS file
         JOIN build_artifacts AS artifact ON artifact.id = file.bundle_id AND artifact.type = 'manifest'
        WHERE file.bundle_id = $1 AND EXISTS (
          SELECT FROM blob_variants AS variant WHERE variant.blob_id = file.blob_id AND variant.state = 'pending')`,
      [bundleId],
    );
    return row?.count ?? 0;
  }

  /** The files of a bundle, by path. */
  uploaded(bundleId: string): Promise<UploadedFile[]> {
    return this.sql.query(
      `SELECT file.id, file.href, file.name, file.mime_type AS "mimeType", file.signature,
              file.blob_id AS "blobId", blob.sha256,
              coalesce(blob.size_in_bytes, file.size_in_bytes) AS "sizeInBytes",
              blob.verified_at AS "verifiedAt"
         FROM bundle_files AS file LEFT JOIN blobs AS blob ON blob.id = file.blob_id
        WHERE file.bundle_id = $1 AND file.href <> $2 ORDER BY file.href`,
      [bundleId, NAMED_MANIFEST_HREF],
    );
  }

  /** The public keys of an app. */
  async publicKeys(appId: string): Promise<string[]> {
    const [app] = await this.sql.query<{ keys: string[] }>(
      'SELECT public_keys AS keys FROM apps WHERE id = $1',
      [appId],
    );
    return app?.keys ?? [];
  }

  /** The zip of a bundle that was verified; `null`: it was not, or another zip was. */
  async verifiedZip(bundleId: string): Promise<VerifiedZip | null> {
    const [zip] = await this.sql.query<VerifiedZip>(
      `SELECT file.name, file.size_in_bytes AS "sizeInBytes", file.blob_id AS "blobId"
         FROM bundles AS bundle JOIN bundle_files AS file ON file.bundle_id = bundle.id AND file.href = ''
        WHERE bundle.id = $1 AND bundle.checksum = file.checksum`,
      [bundleId],
    );
    return zip ?? null;
  }
}
