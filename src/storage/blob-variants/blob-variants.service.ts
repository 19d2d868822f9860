import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { constants, createBrotliCompress } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Blob } from '../blobs/blob.entity.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { hashed } from '../blobs/hashed.js';
import { BlobVariant } from './blob-variant.entity.js';
import { sql } from '../../database/sql.js';

/** docs/performance.md has what the qualities cost and bring. */
const QUALITY = 10;

/** A variant is kept when it takes at most this part of the blob. */
const WORTHWHILE = 0.9;

/** Longer than any blob takes. */
const CLAIMED_FOR = '10 minutes';

/** Then a blob that cannot be compressed is left alone. */
const MAX_ATTEMPTS = 10;

/** A claimed variant, which its worker makes. */
export interface ClaimedVariant {
  readonly blobId: string;
  readonly attempts: number;
}

/**
 * Brotli variants of blobs. Publication requests them in its transaction; they are made afterwards, one blob at
 * a time. Nothing depends on them: without a variant the blob itself is served.
 */
@Injectable()
export class BlobVariantsService {
  constructor(
    @InjectRepository(BlobVariant) private readonly variants: Repository<BlobVariant>,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
  ) {}

  /** Asks for variants of blobs, unless they are there or were asked for already. */
  async request(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length === 0) return;
    // In one order: transactions that ask for the same blobs wait for each other.
    await sql(
      `INSERT INTO blob_variants (blob_id, encoding)
       SELECT blob_id, 'br' FROM unnest($1::uuid[]) AS blob_id ORDER BY blob_id
       ON CONFLICT DO NOTHING`,
      [blobIds],
    );
  }

  /** Claims the variant that has waited longest. @returns `null` when none is left to claim */
  async claim(): Promise<ClaimedVariant | null> {
    const [claimed] = await sql<ClaimedVariant>(
      `UPDATE blob_variants SET attempts = attempts + 1, claimed_until = now() + interval '${CLAIMED_FOR}'
        WHERE (blob_id, encoding) = (
          SELECT blob_id, encoding FROM blob_variants
           WHERE state = 'pending' AND coalesce(claimed_until < now(), true)
           ORDER BY created_at, blob_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING blob_id AS "blobId", attempts`,
    );
    return claimed ?? null;
  }

  /**
   * Makes a variant that was claimed. When that fails, it is tried again later, by any process, up to ten
   * times.
   *
   * @param signal ends it at once; the claim is given back
   */
  async make(claimed: ClaimedVariant, signal: AbortSignal): Promise<void> {
    try {
      const blob = await this.blobs.get(claimed.blobId);
      const { body, sha256 } = hashed(await this.blobs.open(blob));
      const staged = await this.blobs.stage(compressed(body, blob, signal));
      if (sha256() !== blob.sha256) {
        await this.blobs.discardUnless(null, staged);
        await this.checks.verify(blob);
        throw new Error('The stored bytes are not those that were uploaded.');
      }
      await this.keep(blob, staged);
    } catch (error) {
      // The blob was deleted meanwhile, and the variant with it.
      if (error instanceof NotFoundError) return;
      if (signal.aborted) await this.release(claimed);
      else if (claimed.attempts >= MAX_ATTEMPTS) await this.settle(claimed.blobId, { state: 'useless' });
      throw error;
    }
  }

  private async keep(blob: Blob, staged: StagedBlob): Promise<void> {
    const isWorthwhile = staged.sizeInBytes <= blob.sizeInBytes * WORTHWHILE;
    const settled = isWorthwhile
      ? { state: 'ready' as const, objectId: staged.id, sizeInBytes: staged.sizeInBytes }
      : { state: 'useless' as const };
    const isSettled = await this.settle(blob.id, settled);
    // Not when the blob was deleted in the meantime, or another worker was faster.
    await this.blobs.discardUnless(isSettled && isWorthwhile ? staged.id : null, staged);
  }

  private async settle(blobId: string, settled: Partial<BlobVariant>): Promise<boolean> {
    const pending = { blobId, encoding: 'br', state: 'pending' } as const;
    const { affected } = await this.variants.update(pending, { ...settled, claimedUntil: null });
    return affected === 1;
  }

  private async release({ blobId, attempts }: ClaimedVariant): Promise<void> {
    await this.settle(blobId, { attempts: attempts - 1 });
  }
}

/** The work is done by the threads of zlib; a failing or aborted source fails the result. */
function compressed(source: Readable, blob: Blob, signal: AbortSignal): Readable {
  const brotli = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: blob.sizeInBytes,
    },
  });
  pipeline(addAbortSignal(signal, source), brotli, () => undefined);
  return brotli;
}
