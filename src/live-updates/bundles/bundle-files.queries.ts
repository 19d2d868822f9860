import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

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
}

/** Reads files together with their blobs. */
@Injectable()
export class BundleFilesQueries {
  /** The files of a bundle. @param href only this one */
  async uploaded(tx: EntityManager, bundleId: string, href?: string): Promise<UploadedFile[]> {
    const rows = await tx.query<(Omit<UploadedFile, 'sizeInBytes'> & { sizeInBytes: string })[]>(
      `SELECT file.id, file.href, file.name, file.mime_type AS "mimeType", file.signature,
              file.blob_id AS "blobId", blob.sha256,
              coalesce(blob.size_in_bytes, file.size_in_bytes) AS "sizeInBytes"
         FROM bundle_files AS file LEFT JOIN blobs AS blob ON blob.id = file.blob_id
        WHERE file.bundle_id = $1 AND ($2::text IS NULL OR file.href = $2)`,
      [bundleId, href ?? null],
    );
    return rows.map((row) => ({ ...row, sizeInBytes: Number(row.sizeInBytes) }));
  }
}
