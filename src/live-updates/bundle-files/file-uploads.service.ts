import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { StorageQuotasService } from '../../storage/quotas/storage-quotas.service.js';
import { StorageReserve } from '../../storage/storage-reserve.js';
import { type PartReference, UploadsService } from '../../storage/uploads/uploads.service.js';
import type { BundleFile } from './bundle-file.entity.js';
import { BundleFilesService } from './bundle-files.service.js';

/** The upload and the file that a part belongs to. */
export interface UploadTarget {
  readonly bundleId: string;
  readonly fileId: string;
  readonly uploadId: string;
}

/** Files of bundles that arrive in parts. */
@Injectable()
export class FileUploadsService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly files: BundleFilesService,
    private readonly blobs: BlobsService,
    private readonly reserve: StorageReserve,
    private readonly quotas: StorageQuotasService,
  ) {}

  /** Begins an upload. @returns its id @throws InsufficientStorageError when the file would use the reserve */
  async create(app: App, file: BundleFile): Promise<string> {
    await this.reserve.require(file.sizeInBytes);
    return this.uploads.begin(file.id, app.organizationId);
  }

  /**
   * Stores one part. The same part can be sent again, also with other bytes.
   *
   * @param staged its bytes, already in storage; discarded when the part is refused
   * @returns its etag
   * @throws ForbiddenError when the organization may not store more
   * @throws NotFoundError when the bundle, the file or the upload does not exist, or the upload is completed
   * @throws InvalidRequestError when the other parts are more than was announced already
   */
  addPart(app: App, target: UploadTarget, partNumber: number, staged: StagedBlob): Promise<string> {
    return this.blobs.discardIfRefused(staged, async () => {
      const file = await this.files.get(app.id, target.bundleId, target.fileId);
      await this.quotas.requireRoom(app.organizationId, null);
      const { etag, addedBytes } = await this.uploads.addPart(file, target.uploadId, partNumber, staged);
      this.quotas.addStored(app.organizationId, addedBytes);
      return etag;
    });
  }

  /**
   * Joins the parts to the file. Does nothing if they are joined already.
   *
   * @param parts by ascending number
   * @throws NotFoundError for an unknown upload
   * @throws InvalidRequestError when a part is missing, or the file differs from the announced one. In the second case
   *   the upload ends and its parts are deleted.
   */
  complete(app: App, file: BundleFile, uploadId: string, parts: readonly PartReference[]): Promise<void> {
    return this.uploads.complete(file.id, uploadId, parts, (whole) => this.files.fill(app, file, whole));
  }
}
