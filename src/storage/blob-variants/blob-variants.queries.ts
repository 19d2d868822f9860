import { Injectable } from '@nestjs/common';
import { accountOf } from '../../common/background/accounts.js';
import type { ClaimableRows, ClaimedRow } from '../../common/background/claimed-rows.js';
import { Sql } from '../../database/sql.js';
import type { Blob } from '../blobs/blob.entity.js';
import { type BlobEncoding, blobEncodings, type BlobVariantState } from './blob-variant.entity.js';

/** Longer than any blob takes. */
const CLAIMED_FOR = '10 minutes';

/** A claimed variant, which its worker makes. */
export interface ClaimedVariant extends ClaimedRow {
  readonly blobId: string;
  readonly encoding: BlobEncoding;
}

/** A blob as it should be. */
export type SourceBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes' | 'verifiedAt'>;

/** A variant that was requested and does not exist. */
export interface PendingVariant extends SourceBlob {
  readonly organizationId: string;
  readonly encoding: BlobEncoding;
}

/** The object of a variant; all are `null` when there is none. */
export interface VariantObject {
  readonly objectId: string | null;
  readonly sizeInBytes: number | null;
  /** `null` also when an earlier version has made it. */
  readonly sha256: string | null;
}

/** A variant that exists. */
export interface StoredVariant {
  readonly blobId: string;
  readonly encoding: BlobEncoding;
  readonly objectId: string;
  readonly sizeInBytes: number;
  /** `null`: an earlier version has made it. */
  readonly sha256: string | null;
}

const STORED_VARIANT = `blob_id AS "blobId", encoding, object_id AS "objectId", size_in_bytes AS "sizeInBytes", sha256`;

/**
 * Variants of blobs: which are wanted, and which are still to be made. Publication requests them; `QuickVariantsService`
 * makes them quickly, and `BlobVariantsWorker` makes them as small as possible afterwards. Nothing depends on them:
 * without a variant the blob itself is served.
 */
@Injectable()
export class BlobVariantsQueries implements ClaimableRows<ClaimedVariant> {
  constructor(private readonly sql: Sql) {}

  /** Asks for variants of blobs, unless they are there or were asked for already. Blobs that are gone get none. */
  async request(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length === 0) return;
    // In one order: transactions that ask for the same blobs wait for each other.
    await this.sql.execute(
      `INSERT INTO blob_variants (blob_id, encoding)
       SELECT id, encoding FROM blobs, unnest($2::text[]) AS encoding WHERE id = ANY($1) ORDER BY id, encoding
       ON CONFLICT DO NOTHING`,
      [blobIds, blobEncodings],
    );
  }

  /** Those of the blobs that were requested and do not exist: Brotli first, which most devices prefer, and small files first. */
  pending(blobIds: readonly string[]): Promise<PendingVariant[]> {
    return this.sql.query(
      `SELECT blob.id, blob.sha256, blob.size_in_bytes AS "sizeInBytes", blob.verified_at AS "verifiedAt",
              blob.organization_id AS "organizationId", variant.encoding
         FROM blob_variants AS variant JOIN blobs AS blob ON blob.id = variant.blob_id
        WHERE variant.blob_id = ANY($1) AND variant.state = 'pending'
        ORDER BY variant.encoding, blob.size_in_bytes, blob.id`,
      [blobIds],
    );
  }

  /** The newest first: devices download the newest bundles, and older ones have waited without harm. */
  async claim(except: readonly string[]): Promise<ClaimedVariant | null> {
    const [claimed] = await this.sql.query<ClaimedVariant>(
      `WITH next AS MATERIALIZED (
         SELECT variant.blob_id, variant.encoding, ${accountOf('organization')} AS account
           FROM blob_variants AS variant JOIN blobs AS blob ON blob.id = variant.blob_id
           JOIN organizations AS organization ON organization.id = blob.organization_id
          WHERE variant.state IN ('pending', 'quick') AND coalesce(variant.claimed_until < now(), true)
            AND ${accountOf('organization')} <> ALL($1)
          ORDER BY variant.created_at DESC, variant.state, variant.blob_id
          LIMIT 1 FOR UPDATE OF variant SKIP LOCKED)
       UPDATE blob_variants AS claimed
          SET attempts = attempts + 1, claimed_until = now() + interval '${CLAIMED_FOR}'
         FROM next WHERE claimed.blob_id = next.blob_id AND claimed.encoding = next.encoding
       RETURNING next.blob_id AS "blobId", next.encoding, attempts, next.account`,
      [except],
    );
    return claimed ?? null;
  }

  async release({ blobId, encoding }: ClaimedVariant): Promise<void> {
    await this.sql.execute(
      `UPDATE blob_variants SET attempts = attempts - 1, claimed_until = NULL
        WHERE blob_id = $1 AND encoding = $2 AND state IN ('pending', 'quick')`,
      [blobId, encoding],
    );
  }

  /** A quick variant is good enough then. */
  async giveUp({ blobId, encoding }: ClaimedVariant): Promise<void> {
    await this.sql.execute(
      `UPDATE blob_variants SET state = CASE state WHEN 'quick' THEN 'ready' ELSE 'useless' END, claimed_until = NULL
        WHERE blob_id = $1 AND encoding = $2 AND state IN ('pending', 'quick')`,
      [blobId, encoding],
    );
  }

  /**
   * The object that a variant has until now. Locked until the transaction ends.
   *
   * @returns `null`: the variant is in none of the states, or the blob is gone
   */
  async lock(
    blobId: string,
    encoding: BlobEncoding,
    states: readonly BlobVariantState[],
  ): Promise<VariantObject | null> {
    const [former] = await this.sql.query<VariantObject>(
      `SELECT object_id AS "objectId", size_in_bytes AS "sizeInBytes", sha256 FROM blob_variants
        WHERE blob_id = $1 AND encoding = $2 AND state = ANY($3) FOR UPDATE`,
      [blobId, encoding, states],
    );
    return former ?? null;
  }

  /** Records what became of a variant. A worker that makes the best quality continues with a quick one, and no other begins. */
  async settle(
    blobId: string,
    encoding: BlobEncoding,
    state: BlobVariantState,
    { objectId, sizeInBytes, sha256 }: VariantObject,
  ): Promise<void> {
    await this.sql.execute(
      `UPDATE blob_variants SET state = $3, object_id = $4, size_in_bytes = $5, sha256 = $6,
              claimed_until = CASE WHEN $3 = 'quick' THEN claimed_until END
        WHERE blob_id = $1 AND encoding = $2`,
      [blobId, encoding, state, objectId, sizeInBytes, sha256],
    );
  }

  /** The variants of a blob that exist. */
  storedOf(blobId: string): Promise<StoredVariant[]> {
    return this.sql.query(
      `SELECT ${STORED_VARIANT} FROM blob_variants WHERE blob_id = $1 AND object_id IS NOT NULL ORDER BY encoding`,
      [blobId],
    );
  }

  /** The variant that has an object. */
  async findStored(objectId: string): Promise<StoredVariant | null> {
    const [found] = await this.sql.query<StoredVariant>(
      `SELECT ${STORED_VARIANT} FROM blob_variants WHERE object_id = $1`,
      [objectId],
    );
    return found ?? null;
  }

  /**
   * Asks for a variant again whose object is damaged. Retention deletes the object.
   *
   * @returns false: it has another one by now, or is gone
   */
  async discard({ objectId }: StoredVariant): Promise<boolean> {
    const changed = await this.sql.execute(
      `UPDATE blob_variants SET state = 'pending', object_id = NULL, size_in_bytes = NULL, sha256 = NULL,
              attempts = 0, claimed_until = NULL
        WHERE object_id = $1`,
      [objectId],
    );
    return changed > 0;
  }

  /** Asks for a variant again that cannot be verified, and keeps its object until then. */
  async replaceUnverified({ objectId }: StoredVariant): Promise<void> {
    await this.sql.execute(
      `UPDATE blob_variants SET state = 'quick', attempts = 0 WHERE object_id = $1 AND state = 'ready' AND sha256 IS NULL`,
      [objectId],
    );
  }
}
