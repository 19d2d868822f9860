import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { Blob } from './blob.entity.js';

@Injectable()
export class BlobsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Inserts a blob, or finds and locks the one of the organization that has the same content.
   *
   * @returns its id
   */
  async keep(
    organizationId: string,
    { id, sha256, sizeInBytes }: Pick<Blob, 'id' | 'sha256' | 'sizeInBytes'>,
  ): Promise<string> {
    // Sets no key column: that would block, and could deadlock with, transactions that only reference the blob.
    const rows = await this.sql.query<{ id: string }>(
      `INSERT INTO blobs (id, organization_id, sha256, size_in_bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (organization_id, sha256) DO UPDATE SET size_in_bytes = excluded.size_in_bytes, unreferenced_since = NULL
       RETURNING id`,
      [id, organizationId, sha256, sizeInBytes],
    );
    return rows[0]?.id ?? id;
  }

  /** Whether an object in storage is a blob or a variant of one. */
  async isOwned(objectId: string): Promise<boolean> {
    const rows = await this.sql.query(
      'SELECT FROM blobs WHERE id = $1 UNION ALL SELECT FROM blob_variants WHERE object_id = $1',
      [objectId],
    );
    return rows.length > 0;
  }
}
