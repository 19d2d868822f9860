import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { Config } from '../../config/config.js';
import { StaleUploadsService } from '../../storage/uploads/stale-uploads.service.js';
import { BundleDeletionService } from './bundle-deletion.service.js';
import { sql } from '../../database/sql.js';

const DAY = 86_400_000;

/** Bundles that were never published, and to which nothing was added since $1. */
const ABANDONED = `
  SELECT bundle.id, bundle.app_id AS "appId"
    FROM bundles AS bundle JOIN build_artifacts AS artifact ON artifact.id = bundle.id
   WHERE artifact.status = 'pending' AND artifact.updated_at < $1 AND bundle.legal_hold_at IS NULL
     AND NOT EXISTS (SELECT FROM bundle_files AS file
                       LEFT JOIN uploads AS upload ON upload.owner_id = file.id
                       LEFT JOIN upload_parts AS part ON part.upload_id = upload.id
                      WHERE file.bundle_id = bundle.id
                        AND greatest(file.updated_at, upload.updated_at, part.created_at) >= $1)`;

/** What has expired. */
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
    private readonly config: Config,
    private readonly uploads: StaleUploadsService,
    private readonly deletion: BundleDeletionService,
  ) {}

  /** What `expire` would delete now. */
  async find(): Promise<ExpiredUploads> {
    const olderThan = this.olderThan();
    const bundles = await this.abandoned(olderThan);
    return { bundles: bundles.length, uploads: (await this.uploads.list(olderThan)).length };
  }

  /** Deletes what was left alone for as many days as configured. */
  async expire(): Promise<ExpiredUploads> {
    const olderThan = this.olderThan();
    let bundles = 0;
    for (const { id, appId } of await this.abandoned(olderThan)) {
      const isDeleted = await this.deletion.deleteIf(appId, id, async () => {
        const rows = await sql<object>(`${ABANDONED} AND bundle.id = $2`, [olderThan, id]);
        return rows.length > 0;
      });
      if (isDeleted) bundles++;
    }
    return { bundles, uploads: await this.uploads.expire(olderThan) };
  }

  private abandoned(olderThan: Date): Promise<{ id: string; appId: string }[]> {
    return sql(`${ABANDONED} ORDER BY bundle.id`, [olderThan]);
  }

  private olderThan(): Date {
    return databaseNow(-this.config.retention.uploadDays * DAY);
  }
}
