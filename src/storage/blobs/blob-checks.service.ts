import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ObjectStorage } from '../object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { Blob, type Damage } from './blob.entity.js';
import { keyOf } from './blobs.service.js';
import { sql } from '../../database/sql.js';

/** A blob as it should be, and when it last was. */
export type KnownBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes' | 'verifiedAt'>;

/** Compares stored bytes with what they should be, and records what was found. */
@Injectable()
export class BlobChecksService {
  private readonly logger = new Logger(BlobChecksService.name);
  /** How often this process has found damage, or that there is none any more. */
  changes = 0;

  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Whether the bytes are there, as many as there should be. Reads none of them; what is wrong is recorded.
   *
   * @returns `null`: they are
   */
  async checkPresence(blob: KnownBlob): Promise<Damage | null> {
    const damage = await this.orMissing(async () => {
      const { sizeInBytes } = await this.storage.stat(keyOf(blob.id));
      return sizeInBytes === blob.sizeInBytes ? null : 'size';
    });
    return damage === null ? null : this.record(blob, damage);
  }

  /**
   * Reads and compares all of the bytes, and records the result.
   *
   * @param pace is waited for after each piece, with its length in bytes
   * @returns `null`: they are as they should be
   */
  async verify(blob: KnownBlob, pace?: (bytes: number) => Promise<void>): Promise<Damage | null> {
    return this.record(blob, await this.orMissing(() => this.compare(blob, pace)));
  }

  private async compare(blob: KnownBlob, pace?: (bytes: number) => Promise<void>): Promise<Damage | null> {
    const { body, sizeInBytes } = await this.storage.get(keyOf(blob.id));
    if (sizeInBytes !== blob.sizeInBytes) {
      body.destroy();
      return 'size';
    }
    const hash = createHash('sha256');
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await pace?.(chunk.length);
    }
    return hash.digest('hex') === blob.sha256 ? null : 'checksum';
  }

  private async orMissing(check: () => Promise<Damage | null>): Promise<Damage | null> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return 'missing';
      throw error;
    }
  }

  /**
   * Records a result. If another process verified, repaired or deleted the blob in the meantime, its result wins.
   *
   * @returns what is known of it now; `null` also when it is gone, which is no damage
   */
  private async record({ id, sha256, verifiedAt }: KnownBlob, damage: Damage | null): Promise<Damage | null> {
    const rows = await sql<{ wasDamaged: boolean }>(
      `UPDATE blobs
          SET verified_at = now(), scrub_started_at = NULL, damage = $3::text,
              damaged_at = CASE WHEN $3::text IS NOT NULL THEN coalesce(blobs.damaged_at, now()) END
         FROM (SELECT id, damaged_at IS NOT NULL AS damaged FROM blobs WHERE id = $1 FOR UPDATE) AS former
        WHERE blobs.id = former.id AND blobs.verified_at = $2
       RETURNING former.damaged AS "wasDamaged"`,
      [id, verifiedAt, damage],
    );
    if (rows[0] === undefined) return (await this.blobs.findOneBy({ id }))?.damage ?? null;
    const { wasDamaged } = rows[0];
    if ((damage !== null) !== wasDamaged) this.changes++;
    const event = { blobId: id, sha256, damage };
    if (damage !== null) this.logger.error({ event: 'blob_damaged', ...event }, 'A stored file is damaged');
    else if (wasDamaged) this.logger.log({ event: 'blob_sound', ...event }, 'A stored file is sound again');
    return damage;
  }
}
