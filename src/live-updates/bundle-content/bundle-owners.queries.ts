import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Sql } from '../../database/sql.js';

/** Finds out to whom files belong that are made for bundles. */
@Injectable()
export class BundleOwnersQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * The organization of a bundle, which stays until the transaction ends.
   *
   * @throws NotFoundError when the bundle has been deleted in the meantime
   */
  async organizationId(bundleId: string): Promise<string> {
    const [row] = await this.sql.query<{ organizationId: string }>(
      `SELECT app.organization_id AS "organizationId"
         FROM bundles AS bundle JOIN apps AS app ON app.id = bundle.app_id
        WHERE bundle.id = $1 FOR KEY SHARE OF bundle`,
      [bundleId],
    );
    if (row === undefined) throw new NotFoundError('Bundle');
    return row.organizationId;
  }
}
