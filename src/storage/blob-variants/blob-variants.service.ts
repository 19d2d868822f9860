import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { sql } from '../../database/sql.js';
import { BlobsService } from '../blobs/blobs.service.js';
import { type BlobEncoding, blobEncodings, BlobVariant } from './blob-variant.entity.js';
import { VariantMaker } from './variant-maker.js';

/** Longer than any blob takes. */
const CLAIMED_FOR = '10 minutes';

/** Then a blob is left as it is. */
const MAX_ATTEMPTS = 10;

/** A claimed variant, which its worker makes. */
export interface ClaimedVariant {
  readonly blobId: string;
  readonly encoding: BlobEncoding;
  readonly attempts: number;
}

/**
 * Variants of blobs: which are wanted, and which are still to be made. Publication requests them; `QuickVariantsService`
 * makes them quickly, and `BlobVariantsWorker` makes them as small as possible afterwards. Nothing depends on them:
 * without a variant the blob itself is served.
 */
@Injectable()
export class BlobVariantsService {
  constructor(
    @InjectRepository(BlobVariant) private readonly variants: Repository<BlobVariant>,
    private readonly blobs: BlobsService,
    private readonly maker: VariantMaker,
  ) {}

  /** Asks for variants of blobs, unless they are there or were asked for already. Blobs that are gone get none. */
  async request(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length === 0) return;
    // In one order: transactions that ask for the same blobs wait for each other.
    await sql(
      `INSERT INTO blob_variants (blob_id, encoding)
       SELECT id, encoding FROM blobs, unnest($2::text[]) AS encoding WHERE id = ANY($1) ORDER BY id, encoding
       ON CONFLICT DO NOTHING`,
      [blobIds, blobEncodings],
    );
  }

  /**
   * Claims a variant, the newest first: devices download the newest bundles, and older ones have waited without harm.
   *
   * @returns `null` when none is left to claim
   */
  async claim(): Promise<ClaimedVariant | null> {
    const [claimed] = await sql<ClaimedVariant>(
      `UPDATE blob_variants SET attempts = attempts + 1, claimed_until = now() + interval '${CLAIMED_FOR}'
        WHERE (blob_id, encoding) = (
          SELECT blob_id, encoding FROM blob_variants
           WHERE state IN ('pending', 'quick') AND coalesce(claimed_until < now(), true)
           ORDER BY created_at DESC, state, blob_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING blob_id AS "blobId", encoding, attempts`,
    );
    return claimed ?? null;
  }

  /**
   * Makes a variant that was claimed, in the best quality. When that fails, it is tried again later, by any process, up
   * to ten times.
   *
   * @param signal ends it at once; the claim is given back
   */
  async make(claimed: ClaimedVariant, signal: AbortSignal): Promise<void> {
    try {
      const blob = await this.blobs.get(claimed.blobId);
      await this.maker.make(blob, claimed.encoding, 'best', signal);
    } catch (error) {
      // The blob was deleted meanwhile, and the variant with it.
      if (error instanceof NotFoundError) return;
      if (signal.aborted) await this.release(claimed);
      // An outage of the storage says nothing about the blob.
      else if (claimed.attempts >= MAX_ATTEMPTS && !(error instanceof StorageFailure))
        await this.giveUp(claimed);
      throw error;
    }
  }

  private async release({ blobId, encoding, attempts }: ClaimedVariant): Promise<void> {
    const unfinished = { blobId, encoding, state: In(['pending', 'quick']) };
    await this.variants.update(unfinished, { attempts: attempts - 1, claimedUntil: null });
  }

  /** A quick variant is good enough then. */
  private async giveUp({ blobId, encoding }: ClaimedVariant): Promise<void> {
    await this.variants.update(
      { blobId, encoding, state: 'pending' },
      { state: 'useless', claimedUntil: null },
    );
    await this.variants.update({ blobId, encoding, state: 'quick' }, { state: 'ready', claimedUntil: null });
  }
}
