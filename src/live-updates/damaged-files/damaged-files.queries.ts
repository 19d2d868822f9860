import { Injectable } from '@nestjs/common';
import { boundsOf, type Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import type { DamagedFileDto, DamagedFileUseDto } from './damaged-file.dto.js';
import { Sql } from '../../database/sql.js';

/** How many uses of one file are listed. */
const MAX_USES = 100;

interface DamagedFileRow extends Omit<DamagedFileDto, 'damagedAt' | 'uses'> {
  readonly damagedAt: Date;
}

/** Finds damaged files that the apps of an organization use, whichever organization has uploaded them first. */
@Injectable()
export class DamagedFilesQueries {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  async list(organizationId: string, query: PageQuery): Promise<Page<DamagedFileDto>> {
    const { limit, offset } = boundsOf(query);
    const damaged = `
      FROM blobs AS blob
      JOIN LATERAL (SELECT count(*)::int AS uses FROM bundle_files AS file
                      JOIN bundles AS bundle ON bundle.id = file.bundle_id
                      JOIN apps AS app ON app.id = bundle.app_id AND app.organization_id = $1
                     WHERE file.blob_id = blob.id) AS used ON used.uses > 0
     WHERE blob.damaged_at IS NOT NULL`;
    const rows = await this.sql.query<DamagedFileRow>(
      `SELECT blob.id, blob.sha256 AS checksum, blob.size_in_bytes AS "sizeInBytes", blob.damage AS reason,
              blob.damaged_at AS "damagedAt", used.uses AS "totalUses" ${damaged}
        ORDER BY blob.damaged_at DESC, blob.id DESC LIMIT $2 OFFSET $3`,
      [organizationId, limit, offset],
    );
    const [count] = await this.sql.query<{ total: number }>(`SELECT count(*)::int AS total ${damaged}`, [
      organizationId,
    ]);
    const items = rows.map(async (row) => ({
      ...row,
      damagedAt: row.damagedAt.toISOString(),
      uses: await this.usesOf(organizationId, row.id),
    }));
    return { items: await Promise.all(items), total: count?.total ?? 0 };
  }

  private usesOf(organizationId: string, blobId: string): Promise<DamagedFileUseDto[]> {
    return this.sql.query<DamagedFileUseDto>(
      `SELECT app.id AS "appId", app.name AS "appName", artifact.build_id AS "appBuildId",
              bundle.id AS "appBundleId", nullif(file.href, '') AS href
         FROM bundle_files AS file
         JOIN bundles AS bundle ON bundle.id = file.bundle_id
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id
         JOIN apps AS app ON app.id = bundle.app_id AND app.organization_id = $1
        WHERE file.blob_id = $2
        ORDER BY file.id DESC LIMIT ${MAX_USES}`,
      [organizationId, blobId],
    );
  }
}
