import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DamagedFileError } from '../../../common/errors/app-error.js';
import { BlobChecksService } from '../../../storage/blobs/blob-checks.service.js';
import { BlobsService, type StagedBlob } from '../../../storage/blobs/blobs.service.js';
import { hashed } from '../../../storage/blobs/hashed.js';
import { StorageReserve } from '../../../storage/storage-reserve.js';
import { BundleOwnersQueries } from '../../bundle-content/bundle-owners.queries.js';
import { BundleFilesQueries } from '../../bundle-files/bundle-files.queries.js';
import { withFlags } from '../../bundle-zips/utf8-flags.js';
import type { Verification } from './bundle-verification.service.js';

/**
 * Sets the UTF-8 flag of names in unsigned zips: without it, devices save a file under another name. The same zip always
 * becomes the same bytes, so that publishing it once more repairs damaged ones.
 */
@Injectable()
export class FlaggedZipsService {
  constructor(
    private readonly files: BundleFilesQueries,
    private readonly owners: BundleOwnersQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly reserve: StorageReserve,
  ) {}

  /**
   * Stores the zip with all flags, to be kept or discarded.
   *
   * @throws DamagedFileError when the stored bytes are not those that were uploaded, which is recorded
   * @throws InsufficientStorageError when only the reserve is left
   */
  async stage({ main, unflagged }: Verification): Promise<StagedBlob> {
    await this.reserve.require(main.sizeInBytes);
    const blob = { ...main, id: main.blobId };
    const { body, sha256 } = hashed(await this.blobs.open(blob));
    const staged = await this.blobs.stage(Readable.from(withFlags(body, unflagged), { objectMode: false }));
    if (sha256() === main.sha256) return staged;
    await this.blobs.discardUnless(null, staged);
    await this.checks.verify(blob);
    throw new DamagedFileError();
  }

  /**
   * Makes the staged zip the file of its bundle. To be called in the transaction that publishes.
   *
   * @returns the verification of what devices get
   * @throws NotFoundError when the bundle has been deleted in the meantime
   */
  async keep(bundleId: string, verification: Verification, staged: StagedBlob): Promise<Verification> {
    const blobId = await this.blobs.keep(await this.owners.organizationId(bundleId), staged);
    await this.files.replaceZip(bundleId, staged, blobId);
    const { sha256, sizeInBytes } = staged;
    const main = { ...verification.main, blobId, sha256, sizeInBytes };
    return { ...verification, main, files: [main] };
  }
}
