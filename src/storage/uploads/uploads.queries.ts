import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** A part whose row was deleted. */
export interface DeletedPart {
  readonly id: string;
  readonly sizeInBytes: number;
}

/** SQL of uploads in parts. */
@Injectable()
export class UploadsQueries {
  constructor(private readonly sql: Sql) {}

  /** The uploads of an owner that are not completed, but for the newest ones. */
  listBeyond(newest: number, ownerId: string): Promise<{ id: string; organizationId: string | null }[]> {
    return this.sql.query(
      `SELECT id, organization_id AS "organizationId" FROM uploads WHERE owner_id = $1 AND completed_at IS NULL
        ORDER BY created_at DESC, id DESC OFFSET $2`,
      [ownerId, newest],
    );
  }

  /** Locks an upload until the transaction ends. @returns whether it exists and is not completed */
  async lock(ownerId: string, id: string): Promise<boolean> {
    const rows = await this.sql.query(
      'SELECT FROM uploads WHERE id = $1 AND owner_id = $2 AND completed_at IS NULL FOR UPDATE',
      [id, ownerId],
    );
    return rows.length > 0;
  }

  /** @returns whether the upload exists and was not completed before */
  async complete(id: string): Promise<boolean> {
    const completed = await this.sql.execute(
      'UPDATE uploads SET completed_at = now(), updated_at = now() WHERE id = $1 AND completed_at IS NULL',
      [id],
    );
    return completed > 0;
  }

  deleteParts(uploadId: string): Promise<DeletedPart[]> {
    return this.sql.query(
      'DELETE FROM upload_parts WHERE upload_id = $1 RETURNING id, size_in_bytes AS "sizeInBytes"',
      [uploadId],
    );
  }
}
