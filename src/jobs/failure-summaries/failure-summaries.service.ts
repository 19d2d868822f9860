import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { JobLogPages } from '../job-logs/job-log-pages.service.js';
import { JobLogsQueries } from '../job-logs/job-logs.queries.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import { JobsService } from '../jobs/jobs.service.js';
import { FailureSummarizer } from './failure-summarizer.js';

const UNABLE: Readonly<Record<Exclude<JobStatus, 'failed'>, string>> = {
  queued: 'this one has not started',
  pending: 'this one has not started',
  in_progress: 'this one is running',
  succeeded: 'this one has succeeded',
  canceled: 'this one was canceled',
  rejected: 'this one was rejected',
  timed_out: 'this one has timed out',
};

/** Explains why jobs failed. A summary is made once, at the end of the job, and kept with the log whose lines it contains. */
@Injectable()
export class FailureSummariesService {
  /** What is being made for jobs that ended without one, by job: others who ask wait for the same. */
  private readonly making = new Map<string, Promise<string>>();

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly jobs: JobsService,
    private readonly logs: JobLogPages,
    private readonly summarizer: FailureSummarizer,
    private readonly limits: Limits,
  ) {}

  /**
   * The summary of a job that has failed, as text.
   *
   * @throws InvalidRequestError when it has not failed
   * @throws NotFoundError
   * @throws ServerBusyError
   */
  async of(jobId: string): Promise<string> {
    const job = await this.jobs.get(jobId);
    if (job.status !== 'failed') {
      const reason = UNABLE[job.status];
      throw new InvalidRequestError(`Only failed jobs have a failure summary: ${reason}.`, 'job_not_failed');
    }
    return (await this.queries.failureSummary(jobId)) ?? this.makeOnce(job);
  }

  private async makeOnce(job: Job): Promise<string> {
    const running = this.making.get(job.id);
    if (running !== undefined) return running;
    const work = this.make(job);
    this.making.set(job.id, work);
    try {
      return await work;
    } finally {
      this.making.delete(job.id);
    }
  }

  private make(job: Job): Promise<string> {
    return this.limits.run('failure-summaries', job.organizationId, async () =>
      this.summarizer.make(job, await this.logs.end(job)),
    );
  }
}
