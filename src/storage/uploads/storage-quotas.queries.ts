import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** What an organization stores. */
export interface StorageSum {
  /** Different files, with those that are generated. */
  readonly files: number;
  /**
   * Their bytes, with those of their compressed variants and of the parts of unfinished uploads. Content that several bundles
   * share counts once.
   */
  readonly sizeInBytes: number;
}

/** Content that is about to be stored. */
export interface NewContent {
  /** SHA-256 in lower-case hexadecimal; `null`: not known yet. */
  readonly sha256: string | null;
  readonly sizeInBytes: number;
}

@Injectable()
export class StorageQuotasQueries {
  constructor(private readonly sql: Sql) {}

  /** @returns what the operator has set, or `null`; `undefined` for an unknown organization */
  async quotaOf(organizationId: string): Promise<number | null | undefined> {
    const [organization] = await this.sql.query<{ quota: number | null }>(
      'SELECT storage_quota_in_bytes AS quota FROM organizations WHERE id = $1',
      [organizationId],
    );
    return organization?.quota;
  }

  async addUp(organizationId: string): Promise<StorageSum> {
    const [sum] = await this.sql.query<StorageSum>(
      `SELECT count(*)::int AS files,
              (coalesce(sum(size_in_bytes), 0) + (
                SELECT coalesce(sum(variant.size_in_bytes), 0) FROM blob_variants AS variant
                  JOIN blobs AS compressed ON compressed.id = variant.blob_id WHERE compressed.organization_id = $1
              ) + (
                SELECT coalesce(sum(part.size_in_bytes), 0) FROM upload_parts AS part
                  JOIN uploads AS upload ON upload.id = part.upload_id WHERE upload.organization_id = $1
              ))::bigint AS "sizeInBytes"
         FROM blobs WHERE organization_id = $1`,
      [organizationId],
    );
    return sum ?? { files: 0, sizeInBytes: 0 };
  }

  /** Whether the organization stores this content already. */
  async isStored(organizationId: string, { sha256, sizeInBytes }: NewContent): Promise<boolean> {
    const rows = await this.sql.query(
      'SELECT FROM blobs WHERE organization_id = $1 AND sha256 = $2 AND size_in_bytes = $3',
      [organizationId, sha256, sizeInBytes],
    );
    return rows.length > 0;
  }
}
