import { Injectable, Logger } from '@nestjs/common';
import { postgresErrorOf } from '../../database/postgres-error.js';
import type { JobLogDto } from '../job-logs/job-log.dto.js';
import { JobLogsQueries } from '../job-logs/job-logs.queries.js';
import { JobMasks } from '../job-logs/job-masks.service.js';
import type { FailureNotes } from '../jobs/failure-notes.js';
import { isForRunners, type Job } from '../jobs/job.entity.js';
import { readLogEnd } from './log-end.js';
import { summarize } from './summarize.js';

/** Makes the summaries of jobs that have failed, and keeps them with their logs. */
@Injectable()
export class FailureSummarizer implements FailureNotes {
  private readonly logger = new Logger(FailureSummarizer.name);

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly masks: JobMasks,
  ) {}

  /**
   * The summary of a build that ends now. Its lines come from the database, because no cache may have them before the
   * transaction ends.
   *
   * @returns `null`: it has not failed, or there is no summary, which must not keep a job from ending
   */
  async atEnd(job: Job): Promise<string | null> {
    if (!isForRunners(job.kind) || (job.status !== 'failed' && job.status !== 'timed_out')) return null;
    try {
      return await this.make(job, await this.queries.lastChunks(job.id));
    } catch (err) {
      // The transaction cannot continue.
      if (postgresErrorOf(err).code !== undefined) throw err;
      this.logger.warn({ err, jobId: job.id }, 'A failed job ends without a failure summary');
      return null;
    }
  }

  /**
   * @param log all of it, or its end
   * @returns the summary that is kept: another process may have been faster
   */
  async make(job: Job, log: readonly JobLogDto[]): Promise<string> {
    const masker = await this.masks.of(job);
    // What the log has of a job that ended before it started is the message itself, or an earlier attempt.
    const entries = job.inProgressAt === null ? [] : log;
    const { lines, isCut } = readLogEnd(entries, job.attempts);
    const { failedStep: step, statusMessage: message } = job;
    const isTimedOut = job.status === 'timed_out';
    const isSubmission = job.kind === 'submission';
    const made = summarize({ step, message, lines, isCut, isTimedOut, isSubmission }, (text) =>
      masker.mask(text),
    );
    // A job without a log keeps none.
    return (await this.queries.keepFailureSummary(job.id, made)) ?? made;
  }
}
