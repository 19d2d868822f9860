import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL on the builds that use environments and certificates. */
@Injectable()
export class UseRestrictionsQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether a build that has not ended uses the environment or the certificate. */
  async isInUse(what: 'certificate' | 'environment', id: string): Promise<boolean> {
    const builds = await this.sql.query(
      `SELECT FROM builds JOIN jobs ON jobs.id = builds.job_id
        WHERE builds.${what}_id = $1 AND jobs.finished_at IS NULL LIMIT 1`,
      [id],
    );
    return builds.length > 0;
  }
}
