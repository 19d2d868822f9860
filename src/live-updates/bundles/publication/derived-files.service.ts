import { Injectable } from '@nestjs/common';
import { BlobVariantsQueries } from '../../../storage/blob-variants/blob-variants.queries.js';
import { BlobVariantsWorker } from '../../../storage/blob-variants/blob-variants.worker.js';
import { isCompressible } from '../../../storage/blob-variants/compressible.js';
import { QuickVariantsService } from '../../../storage/blob-variants/quick-variants.service.js';
import { BlobRepairsService } from '../../../storage/blobs/blob-repairs.service.js';
import type { StagedBlob } from '../../../storage/blobs/blobs.service.js';
import { GeneratedZipsService } from '../../generated-zips/generated-zips.service.js';
import { GeneratedZipsWorker } from '../../generated-zips/generated-zips.worker.js';
import { NamedManifestsService } from '../../named-manifests/named-manifests.service.js';
import type { BundleType } from '../bundle.entity.js';
import type { Verification } from './bundle-verification.service.js';
import { FlaggedZipsService } from './flagged-zips.service.js';

/** What is made of a verified bundle before its transaction. */
export interface DerivedFiles {
  /** The blobs of the files that are worth compressing. */
  readonly compressible: readonly string[];
  /** Until when the publication waits for files to be compressed. */
  readonly timeLimit: AbortSignal;
  /** The named manifest of an unsigned manifest bundle; `null`: none is needed. */
  readonly named: StagedBlob | null;
  /** The zip with the flags that it lacks; `null`: it lacks none. */
  readonly flagged: StagedBlob | null;
}

/**
 * What Slipway derives from the files of a manifest bundle: compressed variants, the named manifest and the zip. The files
 * of a zip stay in the zip, which may get the flags that it lacks.
 */
@Injectable()
export class DerivedFilesService {
  constructor(
    private readonly variants: BlobVariantsQueries,
    private readonly quickVariants: QuickVariantsService,
    private readonly variantsWorker: BlobVariantsWorker,
    private readonly namedManifests: NamedManifestsService,
    private readonly zips: GeneratedZipsService,
    private readonly zipsWorker: GeneratedZipsWorker,
    private readonly flaggedZips: FlaggedZipsService,
    private readonly repairs: BlobRepairsService,
  ) {}

  /** Before the transaction: compresses files for a limited time, and stores the named manifest or the zip with its flags. */
  async make(type: BundleType, verification: Verification): Promise<DerivedFiles> {
    const { files, manifest, signed, unflagged } = verification;
    const compressible = type === 'manifest' ? compressibleBlobs(files) : [];
    const timeLimit = this.quickVariants.startTimeLimit();
    await this.quickVariants.make(compressible, timeLimit);
    const named =
      type === 'manifest' && manifest !== null && !signed ? await this.namedManifests.stage(manifest) : null;
    const flagged = unflagged.length === 0 ? null : await this.flaggedZips.stage(verification);
    return { compressible, timeLimit, named, flagged };
  }

  /** In the transaction: what devices get, with the flags that the zip lacked. Call it before `keep`. */
  async keepZip(
    bundleId: string,
    verification: Verification,
    { flagged }: DerivedFiles,
  ): Promise<Verification> {
    return flagged === null ? verification : this.flaggedZips.keep(bundleId, verification, flagged);
  }

  /**
   * In the transaction: adds the named manifest to its bundle, and requests what the workers make.
   *
   * @returns the blob of the named manifest; `null`: there is none
   */
  async keep(
    bundleId: string,
    files: Verification['files'],
    { compressible, named }: DerivedFiles,
  ): Promise<string | null> {
    const namedBlobId = named === null ? null : await this.namedManifests.keep(bundleId, named);
    if (named !== null) await this.zips.request(bundleId, files);
    await this.variants.request(compressible);
    return namedBlobId;
  }

  /**
   * After the commit: compresses the named manifest, which is a blob only now, and wakes the workers.
   *
   * @param keptBlobId what the named manifest or the zip became; `null`: the bundle was published by another request
   */
  async finish({ named, flagged, timeLimit }: DerivedFiles, keptBlobId: string | null): Promise<void> {
    const staged = named ?? flagged;
    if (staged !== null) await this.repairs.settle(staged, keptBlobId);
    if (named !== null && keptBlobId !== null)
      await this.quickVariants.makeRequested([keptBlobId], timeLimit);
    this.variantsWorker.wake();
    this.zipsWorker.wake();
  }
}

function compressibleBlobs(files: Verification['files']): string[] {
  return files
    .filter(({ href, mimeType, sizeInBytes }) => isCompressible({ name: href, mimeType, sizeInBytes }))
    .map(({ blobId }) => blobId);
}
