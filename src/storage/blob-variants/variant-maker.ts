import { Injectable } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Blob } from '../blobs/blob.entity.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { hashed } from '../blobs/hashed.js';
import type { BlobEncoding, BlobVariantState } from './blob-variant.entity.js';
import { compress, type Effort } from './compress.js';

/** A variant is kept when it takes at most this part of the blob. */
const WORTHWHILE = 0.9;

/** A blob as it should be. */
export type SourceBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes' | 'verifiedAt'>;

/** What a variant was until now. */
interface Former {
  readonly objectId: string | null;
  readonly sizeInBytes: number | null;
}

/**
 * Makes one variant that was requested, and keeps it if it is smaller than what there is. Any number of processes may
 * make the same one: each object but the one that is kept is removed. An object that was replaced stays until the next
 * run of retention (trigger `note_replaced_object`), because devices may be downloading it.
 */
@Injectable()
export class VariantMaker {
  constructor(
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
  ) {}

  /**
   * To be called outside of transactions.
   *
   * @param effort `quick`: changes only a variant that is pending
   * @param signal ends it at once, with an error; nothing has changed then
   * @throws Error when the stored bytes of the blob are others, which is recorded
   */
  async make(blob: SourceBlob, encoding: BlobEncoding, effort: Effort, signal: AbortSignal): Promise<void> {
    const { body, sha256 } = hashed(await this.blobs.open(blob));
    const { sizeInBytes } = blob;
    const staged = await this.blobs.stage(compress(body, { encoding, effort, sizeInBytes }, signal));
    if (sha256() !== blob.sha256) {
      await this.blobs.discardUnless(null, staged);
      await this.checks.verify(blob);
      throw new Error('The stored bytes are not those that were uploaded.');
    }
    await this.blobs.discardUnless(
      await transaction(() => this.keep(blob, encoding, effort, staged)),
      staged,
    );
  }

  /** @returns the object of the variant; `null`: it has none, or the blob is gone */
  private async keep(
    blob: SourceBlob,
    encoding: BlobEncoding,
    effort: Effort,
    { id, sizeInBytes }: StagedBlob,
  ): Promise<string | null> {
    const changeable: BlobVariantState[] = effort === 'quick' ? ['pending'] : ['pending', 'quick'];
    const [former] = await sql<Former>(
      `SELECT object_id AS "objectId", size_in_bytes AS "sizeInBytes" FROM blob_variants
        WHERE blob_id = $1 AND encoding = $2 AND state = ANY($3) FOR UPDATE`,
      [blob.id, encoding, changeable],
    );
    // The blob was deleted in the meantime, or another process was faster.
    if (former === undefined) return null;
    const isSmaller =
      former.sizeInBytes === null
        ? sizeInBytes <= blob.sizeInBytes * WORTHWHILE
        : sizeInBytes < former.sizeInBytes;
    const kept = isSmaller ? { objectId: id, sizeInBytes } : former;
    const state = kept.objectId === null ? 'useless' : effort === 'quick' ? 'quick' : 'ready';
    // A worker that makes the best quality goes on with that, and no other one begins.
    await sql(
      `UPDATE blob_variants SET state = $3, object_id = $4, size_in_bytes = $5,
              claimed_until = CASE WHEN $3 = 'quick' THEN claimed_until END
        WHERE blob_id = $1 AND encoding = $2`,
      [blob.id, encoding, state, kept.objectId, kept.sizeInBytes],
    );
    return kept.objectId;
  }
}
