import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobRepairsService } from '../blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { StorageQuotasService } from '../quotas/storage-quotas.service.js';

/** Keeps files that have arrived, within the quota of their organization. */
@Injectable()
export class UploadStorageService {
  constructor(
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
    private readonly quotas: StorageQuotasService,
  ) {}

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
