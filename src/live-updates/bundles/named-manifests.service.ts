import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { v7 as uuid } from 'uuid';
import { NotFoundError } from '../../common/errors/app-error.js';
import { sql } from '../../database/sql.js';
import { outsideTransaction, transaction } from '../../database/transactions/transaction.js';
import { BlobVariantsQueries } from '../../storage/blob-variants/blob-variants.queries.js';
import { BlobVariantsWorker } from '../../storage/blob-variants/blob-variants.worker.js';
import { isCompressible } from '../../storage/blob-variants/compressible.js';
import type { KnownBlob } from '../../storage/blobs/blob-damage.queries.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import type { ManifestItem } from '../bundle-manifests/manifest.js';
import { NAMED_MANIFEST_HREF, toNamedManifest } from '../bundle-manifests/named-manifest.js';
import { StoredManifestsService } from './stored-manifests.service.js';

/** A published bundle in manifest form that is not signed, and the blob of its uploaded manifest. */
interface UnsignedBundle extends KnownBlob {
  readonly bundleId: string;
  readonly appId: string;
}

/** Makes and stores the named manifests of unsigned bundles: at publication, and for older bundles when needed. */
@Injectable()
export class NamedManifestsService {
  private readonly limit = pLimit(1);
  private readonly creating = new Map<string, Promise<void>>();

  constructor(
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
    private readonly variants: BlobVariantsQueries,
    private readonly variantsWorker: BlobVariantsWorker,
    private readonly manifests: StoredManifestsService,
  ) {}

  /** Stores the named manifest of an uploaded one, to be kept or discarded. */
  stage(items: readonly ManifestItem[]): Promise<StagedBlob> {
    return this.blobs.stage(Readable.from([Buffer.from(toNamedManifest(items))]));
  }

  /**
   * Adds the staged manifest to its bundle, unless it has one. To be called in the transaction that publishes.
   *
   * @returns the blob that it became
   * @throws NotFoundError when the app was deleted meanwhile
   */
  async keep(appId: string, bundleId: string, staged: StagedBlob): Promise<string> {
    const [app] = await sql<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM apps WHERE id = $1',
      [appId],
    );
    if (app === undefined) throw new NotFoundError('App');
    const blobId = await this.blobs.keep(app.organizationId, staged);
    await sql(
      `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, blob_id)
       VALUES ($1, $2, $3, $4, 'application/json', $5, $6, $7) ON CONFLICT DO NOTHING`,
      [uuid(), bundleId, NAMED_MANIFEST_HREF, MANIFEST_HREF, staged.sizeInBytes, staged.sha256, blobId],
    );
    const file = { name: MANIFEST_HREF, mimeType: 'application/json', sizeInBytes: staged.sizeInBytes };
    if (isCompressible(file)) await this.variants.request([blobId]);
    return blobId;
  }

  /**
   * Makes the named manifest of a bundle that was published without one, or whose stored bytes are damaged: it is derived
   * from the uploaded manifest, and always the same. Does nothing when there is no such bundle. Requests for the same bundle
   * share the work, and bundles wait for each other: any device can ask for this.
   *
   * @throws DamagedFileError when the uploaded manifest is damaged
   */
  create(appId: string, bundleId: string): Promise<void> {
    const key = `${appId}/${bundleId}`;
    let creating = this.creating.get(key);
    if (creating === undefined) {
      creating = outsideTransaction(() =>
        this.limit(async () => {
          const bundle = await this.find(appId, bundleId);
          if (bundle !== undefined) await this.createFor(bundle);
        }),
      ).finally(() => this.creating.delete(key));
      this.creating.set(key, creating);
    }
    return creating;
  }

  private async createFor({ bundleId: id, appId, ...blob }: UnsignedBundle): Promise<void> {
    const staged = await this.stage(await this.manifests.ofManifest(blob));
    const blobId = await this.blobs.discardIfRefused(staged, () =>
      transaction(async () => {
        // It may have been deleted meanwhile.
        const rows = await sql<object>('SELECT FROM bundles WHERE id = $1 FOR KEY SHARE', [id]);
        if (rows.length === 0) throw new NotFoundError('Bundle');
        return this.keep(appId, id, staged);
      }),
    );
    await this.repairs.settle(staged, blobId);
    this.variantsWorker.wake();
  }

  private async find(appId: string, bundleId: string): Promise<UnsignedBundle | undefined> {
    const [bundle] = await sql<UnsignedBundle>(
      `SELECT bundle.id AS "bundleId", bundle.app_id AS "appId",
              blob.id, blob.sha256, blob.size_in_bytes AS "sizeInBytes", blob.verified_at AS "verifiedAt"
         FROM bundles AS bundle
         JOIN build_artifacts AS artifact
           ON artifact.id = bundle.id AND artifact.status = 'ready' AND artifact.type = 'manifest'
         JOIN bundle_files AS manifest ON manifest.bundle_id = bundle.id AND manifest.href = '${MANIFEST_HREF}'
         JOIN blobs AS blob ON blob.id = manifest.blob_id
        WHERE bundle.app_id = $1 AND bundle.id = $2 AND NOT bundle.signed`,
      [appId, bundleId],
    );
    return bundle;
  }
}
