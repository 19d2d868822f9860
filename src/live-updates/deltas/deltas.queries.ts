import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { translate } from '../../database/rows.js';
import type { Blob } from '../../storage/blobs/blob.entity.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { BUNDLE_DELTAS_FROM_FKEY, BUNDLE_DELTAS_TO_FKEY } from './bundle-delta.entity.js';
import { Sql } from '../../database/sql.js';

/** The two bundles of a delta. */
export interface BundlePair {
  readonly from: string;
  readonly to: string;
}

/** A published bundle that has been deployed, as far as deltas are concerned. */
export interface DeltaBundle {
  readonly id: string;
  readonly type: 'zip' | 'manifest';
  /** The organization that the app belongs to now. */
  readonly organizationId: string;
  /** The manifest; `null` for zips. */
  readonly manifest: DeltaBlob | null;
  /** Signature of the manifest, Base64. */
  readonly signature: string | null;
}

/** Stored bytes. */
export type DeltaBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes'>;

/** A stored file of a bundle. */
export interface DeltaFile extends DeltaBlob {
  readonly href: string;
  readonly mimeType: string;
}

/** Makes a claim, or renews it; much longer than the pause between two renewals. */
const CLAIMED_FOR = '15 seconds';

/** Archives that are kept for one bundle: a device is rarely more than a few releases behind. */
const KEPT_PER_BUNDLE = 20;

const violations = {
  [BUNDLE_DELTAS_FROM_FKEY]: () => new NotFoundError('Bundle'),
  [BUNDLE_DELTAS_TO_FKEY]: () => new NotFoundError('Bundle'),
};

/** The statements about deltas. */
@Injectable()
export class DeltasQueries {
  constructor(private readonly sql: Sql) {}

  /** Those among the given bundles of the app that are published and have been deployed. */
  bundles(appId: string, ids: readonly string[]): Promise<DeltaBundle[]> {
    return this.sql.query<DeltaBundle>(
      `SELECT bundle.id, artifact.type, app.organization_id AS "organizationId",
              manifest.signature,
              CASE WHEN manifest.blob_id IS NOT NULL THEN json_build_object(
                'id', manifest.blob_id, 'sha256', manifest.checksum, 'sizeInBytes', manifest.size_in_bytes
              ) END AS manifest
         FROM bundles AS bundle
         JOIN apps AS app ON app.id = bundle.app_id
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
         LEFT JOIN bundle_files AS manifest
           ON manifest.bundle_id = bundle.id AND manifest.href = $3 AND artifact.type = 'manifest'
        WHERE bundle.app_id = $1 AND bundle.id = ANY($2)
          AND EXISTS (SELECT FROM deployments AS deployment
                       WHERE deployment.build_id = artifact.build_id AND deployment.approval_status = 'approved')`,
      [appId, ids, MANIFEST_HREF],
    );
  }

  /** Stored files of a bundle, by path. */
  async files(bundleId: string, hrefs: readonly string[]): Promise<Map<string, DeltaFile>> {
    const rows = await this.sql.query<DeltaFile>(
      `SELECT href, blob_id AS id, checksum AS sha256, mime_type AS "mimeType", size_in_bytes AS "sizeInBytes"
         FROM bundle_files WHERE bundle_id = $1 AND href = ANY($2) AND blob_id IS NOT NULL`,
      [bundleId, hrefs],
    );
    return new Map(rows.map((row) => [row.href, row]));
  }

  /** The archive, if it has been made. */
  async find({ from, to }: BundlePair): Promise<Blob | null> {
    const [row] = await this.sql.query<Blob>(
      `SELECT blob.id, blob.sha256, blob.size_in_bytes AS "sizeInBytes", blob.damaged_at AS "damagedAt"
         FROM bundle_deltas AS delta JOIN blobs AS blob ON blob.id = delta.blob_id
        WHERE delta.to_bundle_id = $1 AND delta.from_bundle_id = $2`,
      [to, from],
    );
    return row ?? null;
  }

  /** Forgets an archive that is damaged, so that it is made again. */
  async forget({ from, to }: BundlePair, blobId: string): Promise<void> {
    await this.sql.execute(
      'DELETE FROM bundle_deltas WHERE to_bundle_id = $1 AND from_bundle_id = $2 AND blob_id = $3',
      [to, from, blobId],
    );
  }

  /**
   * Claims an archive to make it, unless another process is making it or has made it.
   *
   * @throws NotFoundError when a bundle has been deleted in the meantime
   */
  async claim({ from, to }: BundlePair): Promise<boolean> {
    const claimed = await translate(violations, () =>
      this.sql.execute(
        `INSERT INTO bundle_deltas AS delta (to_bundle_id, from_bundle_id, claimed_until)
         VALUES ($1, $2, now() + interval '${CLAIMED_FOR}')
         ON CONFLICT (to_bundle_id, from_bundle_id) DO UPDATE SET claimed_until = excluded.claimed_until
           WHERE delta.blob_id IS NULL AND delta.claimed_until < now()`,
        [to, from],
      ),
    );
    return claimed > 0;
  }

  /** Renews the claim. */
  async renew({ from, to }: BundlePair): Promise<void> {
    await this.sql.query(
      `UPDATE bundle_deltas SET claimed_until = now() + interval '${CLAIMED_FOR}'
        WHERE to_bundle_id = $1 AND from_bundle_id = $2 AND blob_id IS NULL`,
      [to, from],
    );
  }

  /** Gives a claim back. */
  async release({ from, to }: BundlePair): Promise<void> {
    await this.sql.query(
      'DELETE FROM bundle_deltas WHERE to_bundle_id = $1 AND from_bundle_id = $2 AND blob_id IS NULL',
      [to, from],
    );
  }

  /**
   * Stores an archive, and deletes the oldest ones of the same bundle.
   *
   * @throws NotFoundError when a bundle has been deleted in the meantime
   */
  async keep({ from, to }: BundlePair, blobId: string): Promise<void> {
    await translate(violations, () =>
      this.sql.query(
        `INSERT INTO bundle_deltas (to_bundle_id, from_bundle_id, blob_id, claimed_until)
         VALUES ($1, $2, $3, now())
         ON CONFLICT (to_bundle_id, from_bundle_id)
         DO UPDATE SET blob_id = excluded.blob_id, created_at = now()`,
        [to, from, blobId],
      ),
    );
    await this.sql.query(
      `DELETE FROM bundle_deltas WHERE to_bundle_id = $1 AND from_bundle_id IN (
         SELECT from_bundle_id FROM bundle_deltas WHERE to_bundle_id = $1 AND blob_id IS NOT NULL
          ORDER BY created_at DESC, from_bundle_id OFFSET ${KEPT_PER_BUNDLE})`,
      [to],
    );
  }
}
