import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { DamagedFileError, ServerBusyError } from '../../common/errors/app-error.js';
import { outsideTransaction, transaction } from '../../database/transactions/transaction.js';
import { BlobVariantsQueries } from '../../storage/blob-variants/blob-variants.queries.js';
import { BlobVariantsWorker } from '../../storage/blob-variants/blob-variants.worker.js';
import { isCompressible } from '../../storage/blob-variants/compressible.js';
import { BlobChecksService } from '../../storage/blobs/blob-checks.service.js';
import type { KnownBlob } from '../../storage/blobs/blob-damage.queries.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { ObjectNotFoundError } from '../../storage/storage-errors.js';
import { BundleOwnersQueries } from '../bundle-content/bundle-owners.queries.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { BundleFilesQueries } from '../bundle-files/bundle-files.queries.js';
import { decodeManifest, type ManifestItem, parseManifest } from '../bundle-manifests/manifest.js';
import { toNamedManifest } from '../bundle-manifests/named-manifest.js';
import { type BundleKey, NamedManifestsQueries } from './named-manifests.queries.js';

/** Makes and stores the named manifests of unsigned bundles: at publication, and again when they are damaged. */
@Injectable()
export class NamedManifestsService {
  private readonly creating = new Map<string, Promise<void>>();

  constructor(
    private readonly queries: NamedManifestsQueries,
    private readonly files: BundleFilesQueries,
    private readonly owners: BundleOwnersQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly repairs: BlobRepairsService,
    private readonly variants: BlobVariantsQueries,
    private readonly variantsWorker: BlobVariantsWorker,
    private readonly limits: Limits,
  ) {}

  /** Stores the named manifest of an uploaded one, to be kept or discarded. */
  stage(items: readonly ManifestItem[]): Promise<StagedBlob> {
    return this.blobs.stage(Readable.from([Buffer.from(toNamedManifest(items))]));
  }

  /**
   * Adds the staged manifest to its bundle, unless it has one. To be called in the transaction that publishes.
   *
   * @returns the blob that it became
   * @throws NotFoundError when the bundle has been deleted in the meantime
   */
  async keep(bundleId: string, staged: StagedBlob): Promise<string> {
    const blobId = await this.blobs.keep(await this.owners.organizationId(bundleId), staged);
    await this.files.addNamedManifest(bundleId, staged, blobId);
    const file = { name: MANIFEST_HREF, mimeType: 'application/json', sizeInBytes: staged.sizeInBytes };
    if (isCompressible(file)) await this.variants.request([blobId]);
    return blobId;
  }

  /**
   * Makes the named manifest of a bundle again, whose stored bytes are damaged: it is derived from the uploaded manifest,
   * and always the same. Does nothing when there is no such bundle. Requests for the same bundle share the work, and the
   * bundles of an account wait for each other: any device can ask for this, and gets no 429.
   *
   * @throws DamagedFileError when the uploaded manifest is damaged, or the account has no turn
   */
  create(bundle: BundleKey): Promise<void> {
    const key = `${bundle.appId}/${bundle.bundleId}`;
    let creating = this.creating.get(key);
    if (creating === undefined) {
      creating = outsideTransaction(async () => {
        const uploaded = await this.queries.uploadedManifest(bundle);
        if (uploaded === null) return;
        await this.limits
          .run('named-manifests', uploaded.organizationId, () => this.createFrom(uploaded, bundle.bundleId))
          .catch((error: unknown) => {
            throw error instanceof ServerBusyError ? new DamagedFileError() : error;
          });
      }).finally(() => this.creating.delete(key));
      this.creating.set(key, creating);
    }
    return creating;
  }

  private async createFrom(uploaded: KnownBlob, bundleId: string): Promise<void> {
    const staged = await this.stage(await this.read(uploaded));
    const blobId = await this.blobs.discardIfRefused(staged, () =>
      transaction(() => this.keep(bundleId, staged)),
    );
    await this.repairs.settle(staged, blobId);
    this.variantsWorker.wake();
  }

  /** @throws DamagedFileError when the stored bytes are not those that were uploaded, which is recorded */
  private async read(uploaded: KnownBlob): Promise<ManifestItem[]> {
    const bytes = await this.blobs.open(uploaded).then(buffer, async (error: unknown) => {
      await this.checks.verify(uploaded);
      throw error instanceof ObjectNotFoundError ? new DamagedFileError() : error;
    });
    if (hash('sha256', bytes) !== uploaded.sha256) {
      await this.checks.verify(uploaded);
      throw new DamagedFileError();
    }
    return parseManifest(decodeManifest(bytes));
  }
}
