import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { sql } from '../../database/sql.js';
import { JobLogReader } from '../job-logs/job-log-reader.service.js';
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
    return (await keptSummary(jobId)) ?? this.makeOnce(job);
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
    const { lines, isCut } = readLogEnd(log.entries, job.attempts);
    const made = summarize({ step: job.failedStep, message: job.statusMessage, lines, isCut }, (text) =>
      masker.mask(text),
    );
    return keep(job.id, made);
  }
}

async function keptSummary(jobId: string): Promise<string | null> {
  const [log] = await sql<{ summary: string | null }>(
    'SELECT failure_summary AS summary FROM job_logs WHERE id = $1',
    [jobId],
  );
  return log?.summary ?? null;
}

/** Keeps a summary, unless another process was faster. @returns the one that is kept; a job without a log keeps none */
async function keep(jobId: string, made: string): Promise<string> {
  const [log] = await sql<{ summary: string }>(
    `UPDATE job_logs SET failure_summary = coalesce(failure_summary, $2) WHERE id = $1
     RETURNING failure_summary AS summary`,
    [jobId, made],
  );
  return log?.summary ?? made;
}
