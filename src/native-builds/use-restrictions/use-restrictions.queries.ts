import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** An object whose patterns say nothing of branches or tags, and so mean branches. */
export interface UnqualifiedPatterns {
  readonly type: 'certificate' | 'environment';
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  readonly patterns: readonly string[];
}

/** SQL on environments and certificates, and on the builds that use them. */
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

  /** Whether the organization of an app restricts its certificates. */
  async restrictsCertificates(appId: string): Promise<boolean> {
    const [row] = await this.sql.query<{ restricts: boolean }>(
      `SELECT organization.restrict_certificates AS restricts
         FROM apps AS app JOIN organizations AS organization ON organization.id = app.organization_id
        WHERE app.id = $1`,
      [appId],
    );
    return row?.restricts ?? false;
  }

  /** Every environment and certificate with patterns that do not begin with `refs/`, with those patterns. */
  unqualifiedPatterns(): Promise<UnqualifiedPatterns[]> {
    return this.sql.query(
      `SELECT type, id, app_id AS "appId", name, patterns
         FROM (SELECT 'environment' AS type, id, app_id, name, allowed_refs FROM environments
               UNION ALL
               SELECT 'certificate', id, app_id, name, allowed_refs FROM certificates) AS restricted,
              LATERAL (SELECT array_agg(pattern) AS patterns
                         FROM unnest(allowed_refs) AS pattern WHERE pattern NOT LIKE 'refs/%') AS unqualified
        WHERE patterns IS NOT NULL
        ORDER BY app_id, type DESC, name`,
      [],
    );
  }
}
