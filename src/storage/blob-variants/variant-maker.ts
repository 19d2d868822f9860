import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { hashed } from '../blobs/hashed.js';
import type { BlobEncoding, BlobVariantState } from './blob-variant.entity.js';
import { BlobVariantsQueries, type SourceBlob } from './blob-variants.queries.js';

/** `quick`: about as fast as files are read. `best`: as small as it gets for a reasonable time. */
type Effort = 'quick' | 'best';

/** docs/performance.md has what these cost and bring. */
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { quick: 5, best: 10 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { quick: 6, best: 9 };

/** How to compress. */
interface Compression {
  readonly encoding: BlobEncoding;
  readonly effort: Effort;
  /** Length of what is compressed. */
  readonly sizeInBytes: number;
}

/** A variant is kept when it takes at most this part of the blob. */
const WORTHWHILE = 0.9;

/**
 * Makes one variant that was requested, and keeps it if it is smaller than what there is. Any number of processes may
 * make the same one: each object but the one that is kept is removed. An object that was replaced stays until the next
 * run of retention (trigger `note_replaced_object`), because devices may be downloading it.
 */
@Injectable()
export class VariantMaker {
  constructor(
    private readonly queries: BlobVariantsQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
  ) {}

  /**
   * To be called outside of transactions.
   *
   * @param effort `quick`: changes only a variant that is pending
   * @param signal ends it immediately, with an error; nothing has changed then
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
    { id, sizeInBytes, sha256 }: StagedBlob,
  ): Promise<string | null> {
    const changeable: BlobVariantState[] = effort === 'quick' ? ['pending'] : ['pending', 'quick'];
    const former = await this.queries.lock(blob.id, encoding, changeable);
    // The blob was deleted in the meantime, or another process was faster.
    if (former === null) return null;
    // One without a checksum cannot be verified, however small it is.
    const isBetter =
      former.sizeInBytes === null
        ? sizeInBytes <= blob.sizeInBytes * WORTHWHILE
        : former.sha256 === null || sizeInBytes < former.sizeInBytes;
    const kept = isBetter ? { objectId: id, sizeInBytes, sha256 } : former;
    const state = kept.objectId === null ? 'useless' : effort === 'quick' ? 'quick' : 'ready';
    await this.queries.settle(blob.id, encoding, state, kept);
    return kept.objectId;
  }
}

/**
 * Compresses a stream. The work is done by the threads of zlib; a failing or aborted source fails the result.
 *
 * @param signal ends it immediately
 */
function compress(source: Readable, compression: Compression, signal: AbortSignal): Readable {
  const encoder = encoderOf(compression);
  pipeline(addAbortSignal(signal, source), encoder, () => undefined);
  return encoder;
}

function encoderOf({ encoding, effort, sizeInBytes }: Compression): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL[effort] });
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
      [constants.BROTLI_PARAM_SIZE_HINT]: sizeInBytes,
    },
  });
}
