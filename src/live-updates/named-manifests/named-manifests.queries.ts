import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { KnownBlob } from '../../storage/blobs/blob-damage.queries.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';

/** Bundles that one run repairs. */
const BATCH = 1000;

/** A bundle of an app. */
export interface BundleKey {
  readonly appId: string;
  readonly bundleId: string;
}

/** What was uploaded as the manifest of a bundle. */
export interface UploadedManifest extends KnownBlob {
  /** Of the bundle. */
  readonly organizationId: string;
}

/** SQL of named manifests, which are files of their bundles. */
@Injectable()
export class NamedManifestsQueries {
  constructor(private readonly sql: Sql) {}

  /** The uploaded manifest of a published bundle that is not signed; `null`: there is no such bundle. */
  async uploadedManifest({ appId, bundleId }: BundleKey): Promise<UploadedManifest | null> {
    const [blob] = await this.sql.query<UploadedManifest>(
      `SELECT blob.id, blob.sha256, blob.size_in_bytes AS "sizeInBytes", blob.verified_at AS "verifiedAt",
              app.organization_id AS "organizationId"
         FROM bundles AS bundle
         JOIN apps AS app ON app.id = bundle.app_id
         JOIN build_artifacts AS artifact
           ON artifact.id = bundle.id AND artifact.status = 'ready' AND artifact.type = 'manifest'
         JOIN bundle_files AS manifest ON manifest.bundle_id = bundle.id AND manifest.href = $3
         JOIN blobs AS blob ON blob.id = manifest.blob_id
        WHERE bundle.app_id = $1 AND bundle.id = $2 AND NOT bundle.signed`,
      [appId, bundleId, MANIFEST_HREF],
    );
    return blob ?? null;
  }

  /**
   * Some bundles whose named manifest is damaged and whose uploaded one is not. At random: those that fail each time do not
   * keep the others from their turn.
   */
  damaged(): Promise<BundleKey[]> {
    return this.sql.query(
      `SELECT bundle.app_id AS "appId", bundle.id AS "bundleId"
         FROM blobs AS blob
         JOIN bundle_files AS named ON named.blob_id = blob.id AND named.href = $1
         JOIN bundles AS bundle ON bundle.id = named.bundle_id
         JOIN bundle_files AS manifest ON manifest.bundle_id = bundle.id AND manifest.href = $2
         JOIN blobs AS source ON source.id = manifest.blob_id AND source.damaged_at IS NULL
        WHERE blob.damaged_at IS NOT NULL ORDER BY random() LIMIT ${BATCH}`,
      [NAMED_MANIFEST_HREF, MANIFEST_HREF],
    );
  }
}
