import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of build sources. */
@Injectable()
export class BuildSourcesQueries {
  constructor(private readonly sql: Sql) {}

  /** @returns `undefined` when the app was deleted */
  async organizationOf(appId: string): Promise<string | undefined> {
    const [app] = await this.sql.query<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM apps WHERE id = $1',
      [appId],
    );
    return app?.organizationId;
  }

  /** How many sources of an app are being fetched. Locked until the transaction ends, so that none is added meanwhile. */
  async countPending(appId: string): Promise<number> {
    await this.sql.execute(`SELECT pg_advisory_xact_lock(hashtext('slipway:build-sources'), hashtext($1))`, [
      appId,
    ]);
    const [pending] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM build_sources
        WHERE app_id = $1 AND status = 'pending' AND file_url IS NOT NULL AND failure IS NULL`,
      [appId],
    );
    return pending?.count ?? 0;
  }

  /** The queued jobs of builds that wait for a source. Builds are below this folder. */
  async waitingJobs(sourceId: string): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT job.id FROM builds AS build JOIN jobs AS job ON job.id = build.job_id
        WHERE build.build_source_id = $1 AND job.is_held AND job.status = 'queued' ORDER BY job.id`,
      [sourceId],
    );
    return rows.map(({ id }) => id);
  }
}
