import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { BlobEncoding } from '../blob-variants/blob-variant.entity.js';
import type { Blob, Damage } from './blob.entity.js';

/** A process that has not finished a file after this long was killed. Reading 1 GiB takes about two minutes. */
const CLAIMED_FOR = '1 hour';

/** Conditions on blobs: not verified for so many days; damaged, since the storage may be back; one, not verified since a time. */
const OLD = `verified_at < now() - $1 * interval '1 day'`;
const DAMAGED = `damaged_at IS NOT NULL AND verified_at NOT BETWEEN now() - interval '1 hour' AND now() + interval '1 hour'`;
const REQUESTED = 'id = $1 AND verified_at < $2';

/** For how long a damaged blob counts as recent. */
const RECENT = '1 hour';

/** A blob with its expected content and the time of the last verification. */
export type KnownBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes' | 'verifiedAt'>;

/** A blob that is known to be damaged. */
export interface DamagedBlob extends KnownBlob {
  /** Whether that was found within the last hour. */
  readonly isRecent: boolean;
}

/** A variant that exists. */
export interface StoredVariant {
  readonly encoding: BlobEncoding;
  readonly objectId: string;
}

/** SQL about damage of blobs: which are to be verified, what was found, and what repairs them. */
@Injectable()
export class BlobDamageQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Claims the blob that was not verified for the longest time, if that is the given number of days, or else a damaged
   * one.
   *
   * @returns `null` when none is left to claim
   */
  async claimDue(days: number): Promise<KnownBlob | null> {
    return (await this.claim(OLD, [days])) ?? this.claim(DAMAGED, []);
  }

  /** Blobs that are known to be damaged, the latest first. */
  async listDamaged(limit: number): Promise<DamagedBlob[]> {
    return this.sql.query(
      `SELECT id, sha256, size_in_bytes AS "sizeInBytes", verified_at AS "verifiedAt",
              damaged_at BETWEEN now() - $2::interval AND now() + $2::interval AS "isRecent"
         FROM blobs WHERE damaged_at IS NOT NULL ORDER BY damaged_at DESC LIMIT $1`,
      [limit, RECENT],
    );
  }

  /** Claims a blob, unless it was verified since, another process is verifying it, or it is gone. */
  claimRequested(id: string, since: Date): Promise<KnownBlob | null> {
    return this.claim(REQUESTED, [id, since]);
  }

  private async claim(due: string, parameters: readonly unknown[]): Promise<KnownBlob | null> {
    const [row] = await this.sql.query<KnownBlob>(
      `UPDATE blobs SET scrub_started_at = now() WHERE id = (
         SELECT id FROM blobs
          WHERE ${due} AND coalesce(scrub_started_at NOT BETWEEN now() - interval '${CLAIMED_FOR}' AND now() + interval '${CLAIMED_FOR}', true)
          ORDER BY verified_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, sha256, size_in_bytes AS "sizeInBytes", verified_at AS "verifiedAt"`,
      parameters,
    );
    return row ?? null;
  }

  /** Ends a claim without a result, so that another process may verify the blob now. */
  async unclaim({ id, verifiedAt }: KnownBlob): Promise<void> {
    await this.sql.execute(`UPDATE blobs SET scrub_started_at = NULL WHERE id = $1 AND verified_at = $2`, [
      id,
      verifiedAt,
    ]);
  }

  /**
   * Records what was found when a blob was verified.
   *
   * @param mayMark whether a sound blob may become a damaged one
   * @returns `null`, and nothing was recorded, when it is no longer the blob that was read
   */
  async record(
    { id, verifiedAt }: KnownBlob,
    damage: Damage | null,
    mayMark: boolean,
  ): Promise<{ readonly wasDamaged: boolean } | null> {
    const [former] = await this.sql.query<{ wasDamaged: boolean }>(
      `WITH former AS (
         SELECT id, damaged_at IS NOT NULL AS damaged FROM blobs WHERE id = $1 AND verified_at = $2 FOR UPDATE
       ), recorded AS (
         UPDATE blobs
            SET verified_at = now(), scrub_started_at = NULL, damage = $3::text,
                damaged_at = CASE WHEN $3::text IS NOT NULL THEN coalesce(blobs.damaged_at, now()) END
           FROM former WHERE blobs.id = former.id AND (former.damaged OR $4)
       )
       SELECT damaged AS "wasDamaged" FROM former`,
      [id, verifiedAt, damage, mayMark],
    );
    return former ?? null;
  }

  /** @returns false when the blob is gone */
  async markSound(id: string): Promise<boolean> {
    const changed = await this.sql.execute(
      `UPDATE blobs SET damaged_at = NULL, damage = NULL, verified_at = now(), scrub_started_at = NULL WHERE id = $1`,
      [id],
    );
    return changed > 0;
  }

  /** The damaged blobs of every organization that have a SHA-256, but one. */
  async damaged(sha256: string, exceptId: string): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      'SELECT id FROM blobs WHERE sha256 = $1 AND damaged_at IS NOT NULL AND id <> $2',
      [sha256, exceptId],
    );
    return rows.map(({ id }) => id);
  }

  /** The variants of a blob that exist. */
  variants(blobId: string): Promise<StoredVariant[]> {
    return this.sql.query(
      `SELECT encoding, object_id AS "objectId" FROM blob_variants
        WHERE blob_id = $1 AND object_id IS NOT NULL ORDER BY encoding`,
      [blobId],
    );
  }
}
