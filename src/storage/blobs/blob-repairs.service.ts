import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { findAbsence, findDamage } from '../find-damage.js';
import { ObjectStorage } from '../object-storage.js';
import type { Blob } from './blob.entity.js';
import { BlobDamageQueries, type StoredVariant } from './blob-damage.queries.js';
import { BlobsService, keyOf, type StagedBlob } from './blobs.service.js';
import { MAX_VERIFIED_BY_REQUEST, ScrubQueue } from './scrub-queue.js';

/** Replaces damaged bytes with the right ones. Call it outside of transactions. */
@Injectable()
export class BlobRepairsService {
  private readonly logger = new Logger(BlobRepairsService.name);

  constructor(
    private readonly queries: BlobDamageQueries,
    private readonly blobs: BlobsService,
    private readonly storage: ObjectStorage,
    private readonly queue: ScrubQueue,
  ) {}

  /**
   * Replaces the bytes of damaged blobs that have the same SHA-256, in every organization. Also those of the blob that
   * is used instead of the staged bytes, if they are others by now.
   *
   * @param usedId the blob that `keep` has found; not discarded yet
   */
  private async repair(staged: StagedBlob, usedId: string): Promise<void> {
    const ids = new Set(await this.queries.damaged(staged.sha256, staged.id));
    if (usedId !== staged.id && !ids.has(usedId) && !(await this.isSound(usedId, staged))) ids.add(usedId);
    for (const id of ids) await this.replace(id, staged);
  }

  /**
   * Ends with staged bytes, after the transaction that used them: repairs what they can repair, and discards them unless
   * they became the blob.
   *
   * @param usedId the blob that `keep` has found; `null`: the bytes were not used
   */
  async settle(staged: StagedBlob, usedId: string | null): Promise<void> {
    try {
      if (usedId !== null) await this.repair(staged, usedId);
    } finally {
      await this.blobs.discardUnless(usedId, staged);
    }
  }

  /**
   * Repairs a blob with what one of its variants holds, if it has any.
   *
   * @returns whether the blob is sound again
   */
  async repairFromVariant(blob: Pick<Blob, 'id' | 'sha256' | 'sizeInBytes'>): Promise<boolean> {
    for (const variant of await this.queries.variants(blob.id))
      if (await this.repairFrom(variant, blob)) return true;
    return false;
  }

  private async repairFrom(
    variant: StoredVariant,
    { id, sha256, sizeInBytes }: Pick<Blob, 'id' | 'sha256' | 'sizeInBytes'>,
  ): Promise<boolean> {
    try {
      const staged = await this.blobs.stage(await this.decompressed(variant, sizeInBytes));
      try {
        const isSame = staged.sha256 === sha256 && staged.sizeInBytes === sizeInBytes;
        return isSame && (await this.replace(id, staged));
      } finally {
        await this.blobs.discardUnless(null, staged);
      }
    } catch (error) {
      const { encoding } = variant;
      this.logger.warn(
        { blobId: id, encoding, err: error },
        'A damaged file was not repaired from a variant',
      );
      return false;
    }
  }

  /** Whether a blob still holds the bytes. The scrubber reads large ones. If the storage cannot say, they are replaced. */
  private async isSound(id: string, expected: StagedBlob): Promise<boolean> {
    const isLarge = expected.sizeInBytes > MAX_VERIFIED_BY_REQUEST;
    try {
      const damage = await (isLarge ? findAbsence : findDamage)(this.storage, keyOf(id), expected);
      if (damage === null && isLarge) this.queue.add(id);
      return damage === null;
    } catch {
      return false;
    }
  }

  /** Copies staged bytes to a blob, and reads them again from there. @returns whether they are right now */
  private async replace(id: string, { id: stagedId, sha256, sizeInBytes }: StagedBlob): Promise<boolean> {
    await this.storage.put(keyOf(id), await this.blobs.open({ id: stagedId }));
    const stored = await this.storage.digest(keyOf(id));
    const isSame = stored.sha256 === sha256 && stored.sizeInBytes === sizeInBytes;
    if (isSame && (await this.queries.markSound(id))) {
      this.logger.log({ event: 'blob_repaired', blobId: id, sha256 }, 'A damaged file was repaired');
      return true;
    }
    // Unless storage has damaged them again, the blob has been deleted in the meantime.
    if (isSame) await this.storage.delete(keyOf(id));
    return false;
  }

  private async decompressed({ encoding, objectId }: StoredVariant, sizeInBytes: number): Promise<Readable> {
    const { body } = await this.storage.get(keyOf(objectId));
    const decoder = encoding === 'br' ? createBrotliDecompress() : createGunzip();
    const decoded = pipeline(body, decoder, () => undefined);
    return Readable.from(atMost(sizeInBytes, decoded), { objectMode: false });
  }
}

/** Passes bytes on. @throws RangeError when there are more than the limit */
async function* atMost(limit: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw new RangeError(`There are more than ${limit} bytes.`);
    yield chunk;
  }
}
