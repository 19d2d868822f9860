import { Injectable } from '@nestjs/common';
import { JobApps } from '../../apps/app-access/job-apps.js';
import { sql } from '../../database/sql.js';

/** Finds the apps of jobs, for the access guard. */
@Injectable()
export class JobAppsService extends JobApps {
  override async appOf(jobId: string): Promise<string | null> {
    const [job] = await sql<{ appId: string }>('SELECT app_id AS "appId" FROM jobs WHERE id = $1', [jobId]);
    return job?.appId ?? null;
  }
}
