import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { Config } from '../../config/config.js';
import { StaleUploadsService } from '../../storage/uploads/stale-uploads.service.js';
import { BundleDeletionService } from './bundle-deletion.service.js';
import { UploadExpiryQueries } from './upload-expiry.queries.js';

const DAY = 86_400_000;

export interface ExpiredUploads {
  /** Bundles that were never published. */
  readonly bundles: number;
  /** Files in parts that were never completed. */
  readonly uploads: number;
}

/** Deletes uploads that were begun and left alone. */
@Injectable()
export class UploadExpiryService {
  constructor(
    private readonly queries: UploadExpiryQueries,
    private readonly config: Config,
    private readonly uploads: StaleUploadsService,
    private readonly deletion: BundleDeletionService,
  ) {}

  /** What `expire` would delete now. */
  async find(): Promise<ExpiredUploads> {
    const olderThan = this.olderThan();
    const bundles = await this.queries.abandoned(olderThan);
    return { bundles: bundles.length, uploads: (await this.uploads.list(olderThan)).length };
  }

  /** Deletes what was left alone for as many days as configured. */
  async expire(): Promise<ExpiredUploads> {
    const olderThan = this.olderThan();
    let bundles = 0;
    for (const { id, appId } of await this.queries.abandoned(olderThan)) {
      const isDue = (): Promise<boolean> => this.queries.isAbandoned(id, olderThan);
      if (await this.deletion.deleteIf(appId, id, isDue)) bundles++;
    }
    return { bundles, uploads: await this.uploads.expire(olderThan) };
  }

  private olderThan(): Date {
    return databaseNow(-this.config.retention.uploadDays * DAY);
  }
}
