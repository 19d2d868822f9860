import { Injectable } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import type { KnownBlob } from '../../storage/blobs/blob-damage.queries.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import type { BundleType } from '../bundles/bundle.entity.js';

/** How long a bundle is left alone after an attempt that failed, as an SQL interval. */
const RETRIED_AFTER = `interval '1 day'`;

/** A published bundle of which something is missing. */
export interface IncompleteBundle {
  readonly id: string;
  readonly appId: string;
  readonly type: BundleType;
  readonly signed: boolean;
  /** Whether its manifest was compared with the others. */
  readonly compared: boolean;
  /** Whether it has a sound named manifest, or needs none. */
  readonly named: boolean;
  /** The manifest or the zip. */
  readonly blob: KnownBlob;
}

type Row = Omit<IncompleteBundle, 'blob'> & KnownBlob & { readonly blobId: string };

@Injectable()
export class ManifestBackfillsQueries {
  /**
   * Bundles that were not attempted since a day before the given time: first those that never were, the newest first.
   * Those that fail come last, so that they never keep others waiting.
   */
  async next(before: Date, limit: number): Promise<IncompleteBundle[]> {
    const rows = await sql<Row>(
      `SELECT * FROM (
         SELECT bundle.id, bundle.app_id AS "appId", artifact.type, bundle.signed,
                coalesce(comparison.compared, false) AS compared, comparison.attempted_at,
                bundle.signed OR artifact.type = 'zip'
                  OR (named.id IS NOT NULL AND named_blob.damaged_at IS NULL) AS named,
                blob.id AS "blobId", blob.sha256, blob.size_in_bytes AS "sizeInBytes",
                blob.verified_at AS "verifiedAt"
           FROM bundles AS bundle
           JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
           JOIN blobs AS blob ON blob.id = artifact.blob_id
           LEFT JOIN manifest_comparisons AS comparison ON comparison.bundle_id = bundle.id
           LEFT JOIN bundle_files AS named ON named.bundle_id = bundle.id AND named.href = '${NAMED_MANIFEST_HREF}'
           LEFT JOIN blobs AS named_blob ON named_blob.id = named.blob_id) AS bundle
        WHERE NOT (compared AND named)
          AND (attempted_at IS NULL OR attempted_at < $1::timestamptz - ${RETRIED_AFTER})
        ORDER BY attempted_at NULLS FIRST, id DESC LIMIT $2`,
      [before, limit],
    );
    return rows.map(({ blobId, sha256, sizeInBytes, verifiedAt, ...bundle }) => ({
      ...bundle,
      blob: { id: blobId, sha256, sizeInBytes, verifiedAt },
    }));
  }

  /** Remembers an attempt, before it is made: one that ends the process counts, too. */
  async markAttempted(bundleId: string, at: Date): Promise<void> {
    await sql(
      `INSERT INTO manifest_comparisons (bundle_id, compared, attempted_at)
       SELECT id, false, $2 FROM bundles WHERE id = $1
       ON CONFLICT (bundle_id) DO UPDATE SET attempted_at = excluded.attempted_at`,
      [bundleId, at],
    );
  }
}
