import { Injectable } from '@nestjs/common';
import { JobApps } from '../../apps/app-access/job-apps.js';
import { JobsQueries } from './jobs.queries.js';

/** Finds the apps of jobs, for the access guard. */
@Injectable()
export class JobAppsService extends JobApps {
  constructor(private readonly queries: JobsQueries) {
    super();
  }

  override appOf(jobId: string): Promise<string | null> {
    return this.queries.appOf(jobId);
  }
}
