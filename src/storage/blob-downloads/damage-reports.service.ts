import { Injectable, Logger } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { RecentIds } from '../../common/recent-ids.js';
import { VariantChecksService } from '../blob-variants/variant-checks.service.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { BlobsService } from '../blobs/blobs.service.js';

const HOUR = 3_600_000;

/** What a read has seen: no object of the right length, or other bytes. */
export type Suspicion = 'absent' | 'changed';

/**
 * Looks again at objects that a read has found to be wrong, records what it finds, and repairs it if it can. Calls for the
 * same object share the work. Never fails: the read has failed already.
 */
@Injectable()
export class DamageReports {
  private readonly logger = new Logger(DamageReports.name);
  private readonly underWay = new Map<string, Promise<void>>();
  /** Objects that were not marked because too many are damaged: each counts once an hour, however often it is requested. */
  private readonly unmarked = new RecentIds(HOUR);

  constructor(
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly variants: VariantChecksService,
  ) {}

  /** Reports the object of a blob. */
  reportBlob(id: string, suspicion: Suspicion): Promise<void> {
    return this.once(id, async () => {
      const blob = await this.blobs.get(id);
      if (blob.damagedAt !== null) return;
      const damage = await (suspicion === 'absent'
        ? this.checks.checkPresence(blob)
        : this.checks.verify(blob));
      if (damage !== null && (await this.blobs.get(id)).damagedAt === null) this.unmarked.add(id);
    });
  }

  reportVariant(objectId: string): Promise<void> {
    return this.once(objectId, async () => {
      const damage = await this.variants.verify(objectId);
      if (damage !== null) this.unmarked.add(objectId);
    });
  }

  private once(objectId: string, report: () => Promise<void>): Promise<void> {
    const running = this.underWay.get(objectId);
    if (running !== undefined) return running;
    if (this.unmarked.has(objectId)) return Promise.resolve();
    const work = report()
      .catch((err: unknown) => {
        // It was deleted in the meantime.
        if (err instanceof NotFoundError) return;
        this.logger.warn({ err, objectId }, 'A damaged file could not be recorded');
      })
      .finally(() => this.underWay.delete(objectId));
    this.underWay.set(objectId, work);
    return work;
  }
}
