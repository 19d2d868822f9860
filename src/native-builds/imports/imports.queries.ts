import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { notSuspended, orResumed } from '../../organizations/organizations/suspensions.js';

/** Jobs that one statement finds. */
const BATCH = 200;

@Injectable()
export class ImportsQueries {
  constructor(private readonly sql: Sql) {}

  /** Imports whose upload began more than `hours` ago, and is not complete. @returns the ids of their jobs */
  async unfinished(hours: number): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT job.id FROM jobs AS job
        WHERE job.kind = 'import' AND job.status = 'queued' AND ${notSuspended('job.organization_id')}
          AND ${orResumed('job.created_at', 'job.organization_id')} < now() - make_interval(hours => $1)
          AND NOT EXISTS (SELECT FROM build_artifacts AS artifact
                           WHERE artifact.build_id = job.subject_id AND artifact.blob_id IS NOT NULL)
        ORDER BY job.id LIMIT ${BATCH}`,
      [hours],
    );
    return rows.map(({ id }) => id);
  }
}
