import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { JobLogReader } from '../job-logs/job-log-reader.service.js';
import { JobLogsQueries } from '../job-logs/job-logs.queries.js';
import { JobMasks } from '../job-logs/job-masks.service.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import { JobsService } from '../jobs/jobs.service.js';
import { readLogEnd } from './log-end.js';
import { summarize } from './summarize.js';

const UNABLE: Readonly<Record<Exclude<JobStatus, 'failed'>, string>> = {
  queued: 'this one has not started',
  pending: 'this one has not started',
  in_progress: 'this one is running',
  succeeded: 'this one has succeeded',
  canceled: 'this one was canceled',
  rejected: 'this one was rejected',
  timed_out: 'this one has timed out',
};

/** Explains why jobs failed. A summary is made once, and kept with the log whose lines it contains. */
@Injectable()
export class FailureSummariesService {
  /** What is being made, by job: others who ask wait for the same. */
  private readonly making = new Map<string, Promise<string>>();

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly jobs: JobsService,
    private readonly logs: JobLogReader,
    private readonly masks: JobMasks,
  ) {}

  /**
   * The summary of a job that has failed, as text.
   *
   * @throws InvalidRequestError when it has not failed
   * @throws NotFoundError
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

  private async make(job: Job): Promise<string> {
    const [log, masker] = await Promise.all([this.logs.read(job.id), this.masks.of(job)]);
    // What the log has of a job that ended before it started is the message itself, or an earlier attempt.
    const entries = job.inProgressAt === null ? [] : log.entries;
    const { lines, isCut } = readLogEnd(entries, job.attempts);
    const made = summarize({ step: job.failedStep, message: job.statusMessage, lines, isCut }, (text) =>
      masker.mask(text),
    );
    // A job without a log keeps none.
    return (await this.queries.keepFailureSummary(job.id, made)) ?? made;
  }
}
