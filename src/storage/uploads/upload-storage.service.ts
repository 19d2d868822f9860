import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobRepairsService } from '../blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import type { NewContent } from './storage-quotas.queries.js';
import { StorageQuotasService } from './storage-quotas.service.js';
import { StorageReserve } from '../storage-reserve.js';

/** Keeps files within the quota of their organization and the reserve of the storage. */
@Injectable()
export class UploadStorageService {
  constructor(
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
    private readonly quotas: StorageQuotasService,
    private readonly reserve: StorageReserve,
  ) {}

  /**
   * Checks, before a file is announced, that there is room for it.
   *
   * @param content `null`: not known yet
   * @throws ForbiddenError when the organization may not store it
   * @throws InsufficientStorageError when it would use the reserve
   */
  async requireRoom(organizationId: string, content: NewContent | null): Promise<void> {
    await this.reserve.require(content?.sizeInBytes);
    await this.quotas.requireRoom(organizationId, content);
  }

  /**
   * Makes staged bytes a blob. Call it outside of transactions.
   *
   * @param check refuses the bytes; it may read storage
   * @param write uses the blob, in the transaction that keeps it
   * @param freedBytes what `write` deletes, such as the parts that the bytes were joined of
   * @throws AppError of `check`, the quota (`storage_quota_exceeded`) or `write`; then the bytes are discarded
   */
  async keep<R>(
    organizationId: string,
    staged: StagedBlob,
    check: () => void | Promise<void>,
    write: (blobId: string) => Promise<R>,
    freedBytes = 0,
  ): Promise<R> {
    const store = () =>
      transaction(async () => {
        const blobId = await this.blobs.keep(organizationId, staged);
        return [await write(blobId), blobId] as const;
      });
    const [result, usedId] = await this.blobs.discardIfRefused(staged, async () => {
      await check();
      return this.quotas.charge(organizationId, staged, freedBytes, store);
    });
    await this.repairs.settle(staged, usedId);
    return result;
  }
}
