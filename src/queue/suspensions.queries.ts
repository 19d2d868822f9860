import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

/** Which tenants the operator has suspended. */
@Injectable()
export class SuspensionsQueries {
  constructor(private readonly sql: Sql) {}

  /** @param tenantId of an organization, or of a user, who is never suspended */
  async isSuspended(tenantId: string): Promise<boolean> {
    const found = await this.sql.query(
      'SELECT FROM organizations WHERE id = $1 AND suspended_at IS NOT NULL',
      [tenantId],
    );
    return found.length > 0;
  }
}
