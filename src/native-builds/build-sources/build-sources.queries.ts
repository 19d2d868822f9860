import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { NUMBER_OF_STORE } from '../configurations/version.js';

/** A build that waits for its source. */
export interface WaitingBuild {
  readonly id: string;
  readonly jobId: string;
  readonly organizationId: string;
  /** Whether it waits for a number from the store after that. */
  readonly isStoreNumbered: boolean;
}

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

  /** Builds that wait for a source, with their queued jobs. Builds are below this folder. */
  waitingBuilds(sourceId: string): Promise<WaitingBuild[]> {
    return this.sql.query<WaitingBuild>(
      `SELECT build.id, job.id AS "jobId", job.organization_id AS "organizationId",
              coalesce(configuration.build_number = $2, false) AS "isStoreNumbered"
         FROM builds AS build JOIN jobs AS job ON job.id = build.job_id
         LEFT JOIN configurations AS configuration ON configuration.id = build.configuration_id
        WHERE build.build_source_id = $1 AND job.is_held AND job.status = 'queued' ORDER BY job.id`,
      [sourceId, NUMBER_OF_STORE],
    );
  }
}
