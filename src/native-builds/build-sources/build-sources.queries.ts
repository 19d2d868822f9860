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
