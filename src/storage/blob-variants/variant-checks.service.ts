import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import type { Damage } from '../blobs/blob.entity.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { keyOf } from '../blobs/blobs.service.js';
import { ScrubberService } from '../blobs/scrubber.service.js';
import { findAbsence, findDamage, type Pace } from '../find-damage.js';
import { ObjectStorage } from '../object-storage.js';
import { BlobVariantsQueries, type StoredVariant } from './blob-variants.queries.js';
import { BlobVariantsWorker } from './blob-variants.worker.js';

/**
 * Compares stored variants with their checksums, with the blob that they belong to. A damaged one is made again, and the
 * blob itself is served until then.
 */
@Injectable()
export class VariantChecksService implements OnModuleInit {
  private readonly logger = new Logger(VariantChecksService.name);

  constructor(
    private readonly queries: BlobVariantsQueries,
    private readonly storage: ObjectStorage,
    private readonly checks: BlobChecksService,
    private readonly scrubber: ScrubberService,
    private readonly worker: BlobVariantsWorker,
  ) {}

  onModuleInit(): void {
    this.scrubber.readWith(({ id }, pace) => this.verifyOf(id, pace));
  }

  /**
   * Compares the variant that has an object, and discards it if it is damaged. Nothing happens when none has.
   *
   * @returns `null`: it is sound, or has another object by now
   */
  async verify(objectId: string): Promise<Damage | null> {
    const variant = await this.queries.findStored(objectId);
    return variant === null ? null : this.compare(variant);
  }

  private async verifyOf(blobId: string, pace: Pace | undefined): Promise<void> {
    for (const variant of await this.queries.storedOf(blobId)) {
      try {
        await this.compare(variant, pace);
      } catch (err) {
        if (!(err instanceof StorageFailure)) throw err;
        this.logger.warn({ err, blobId, encoding: variant.encoding }, 'A variant cannot be read');
      }
    }
  }

  private async compare(variant: StoredVariant, pace?: Pace): Promise<Damage | null> {
    const { blobId, encoding, objectId, sha256, sizeInBytes } = variant;
    const damage = await this.checks.confirm(() =>
      sha256 === null
        ? findAbsence(this.storage, keyOf(objectId), variant)
        : findDamage(this.storage, keyOf(objectId), { sha256, sizeInBytes }, pace),
    );
    const mayDiscard = this.checks.countRead(damage);
    if (damage !== null) {
      if (!mayDiscard) return damage;
      if (await this.queries.discard(variant))
        this.logger.error({ event: 'variant_damaged', blobId, encoding, damage }, 'A variant is damaged');
    } else if (sha256 === null) {
      await this.queries.replaceUnverified(variant);
    } else return null;
    this.worker.wake();
    return damage;
  }
}
