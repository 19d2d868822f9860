import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

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

/** SQL of bundles whose upload was never finished. */
@Injectable()
export class UploadExpiryQueries {
  constructor(private readonly sql: Sql) {}

  /** Bundles to which nothing was added since the given time. */
  abandoned(olderThan: Date): Promise<{ id: string; appId: string }[]> {
    return this.sql.query(`${ABANDONED} ORDER BY bundle.id`, [olderThan]);
  }

  /** Whether a bundle is one of them. */
  async isAbandoned(bundleId: string, olderThan: Date): Promise<boolean> {
    return (await this.sql.query(`${ABANDONED} AND bundle.id = $2`, [olderThan, bundleId])).length > 0;
  }
}
