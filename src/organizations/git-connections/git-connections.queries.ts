import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

@Injectable()
export class GitConnectionsQueries {
  constructor(private readonly sql: Sql) {}

  /** Locks an app of an organization against a transfer. Apps live further down. @returns whether there is one */
  async lockApp(organizationId: string, appId: string): Promise<boolean> {
    const rows = await this.sql.query(`SELECT FROM apps WHERE id = $1 AND organization_id = $2 FOR SHARE`, [
      appId,
      organizationId,
    ]);
    return rows.length > 0;
  }

  /** Notes that the server accepted the credentials; writes at most every five minutes. */
  async recordSuccess(id: string): Promise<void> {
    await this.sql.query(
      `UPDATE git_connections SET last_used_at = now(), broken_at = NULL
        WHERE id = $1 AND (broken_at IS NOT NULL OR last_used_at IS NULL OR last_used_at < now() - interval '5 minutes')`,
      [id],
    );
  }

  /** Notes that the server refused the credentials, unless they have been replaced in the meantime. */
  async recordRefusal(id: string, sealedSecret: string | null): Promise<void> {
    await this.sql.query(
      `UPDATE git_connections SET last_used_at = now(), broken_at = coalesce(broken_at, now())
        WHERE id = $1 AND sealed_secret IS NOT DISTINCT FROM $2`,
      [id, sealedSecret],
    );
  }
}
