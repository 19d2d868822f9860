import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { cleanShortText } from '../../common/secrets/clean-lines.js';
import { Config } from '../../config/config.js';
import { errorOf } from '../../common/errors/app-error.js';
import { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import { JobMasks } from '../job-logs/job-masks.service.js';
import { JobEndings } from '../jobs/job-endings.service.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import { JobsService } from '../jobs/jobs.service.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { JobLeasesService } from './job-leases.service.js';
import { LeaseLostError } from '../job-leases/lease-lost.error.js';
import type { Lease } from '../job-leases/lease.js';
import type { LeaseTokenContent } from '../job-leases/lease-token.js';
import { LogOutOfStepError } from './log-out-of-step.error.js';
import type { FinishJobDto } from './runner-jobs.dto.js';

/** The log and the end of a job, as its runner sends them. */
@Injectable()
export class RunnerJobsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly leases: JobLeasesService,
    private readonly queries: JobLeasesQueries,
    private readonly endings: JobEndings,
    private readonly logs: JobLogWriter,
    private readonly masks: JobMasks,
    private readonly config: Config,
  ) {}

  /**
   * Adds bytes to the log. What has arrived before is left out, so a repeated request changes nothing. It extends the
   * lease, too.
   *
   * @param offset where the bytes begin in the log of this attempt
   * @returns how many bytes have arrived
   * @throws LogOutOfStepError when bytes in between are missing
   * @throws LeaseLostError
   */
  async append(lease: Lease, offset: number, bytes: Buffer): Promise<number> {
    const job = await this.jobs.get(lease.jobId);
    // Before the locks, because it may take a while the first time.
    if (job.status === 'in_progress') await this.masks.of(job);
    return transaction(async () => {
      const { logBytes, started } = await this.lockLease(lease);
      if (!started) throw errorOf('job_not_started');
      if (offset > logBytes) throw new LogOutOfStepError(logBytes);
      const fresh = bytes.subarray(Math.min(logBytes - offset, bytes.length));
      if (fresh.length === 0) return logBytes;
      await this.queries.setLogBytes(lease.id, logBytes + fresh.length, this.config.jobs.leaseSeconds);
      await this.logs.append(await this.jobs.get(lease.jobId), fresh);
      return logBytes + fresh.length;
    });
  }

  /**
   * The job has ended. Harmless to repeat: the same runner gets the same response.
   *
   * @param lease `undefined`: the runner has lost it, or has finished before
   * @throws LogOutOfStepError before all of the log has arrived
   * @throws LeaseLostError
   */
  async finish(lease: Lease | undefined, token: LeaseTokenContent, end: FinishJobDto): Promise<JobStatus> {
    if (lease === undefined) return this.finishedBy(token);
    if (end.attempt !== lease.attempt) throw await this.leases.lost(lease.jobId);
    try {
      return await this.leases.hold(lease, (job) => this.endHeld(lease, job, end));
    } catch (error) {
      // The same request may have been faster on another connection.
      if (error instanceof LeaseLostError) return this.finishedBy(token);
      throw error;
    }
  }

  private async endHeld(lease: Lease, job: Job, end: FinishJobDto): Promise<JobStatus> {
    if (job.status !== 'in_progress') throw errorOf('job_not_started');
    const { logBytes } = await this.lockLease(lease);
    if (logBytes < end.logBytes) throw new LogOutOfStepError(logBytes);
    const ended = await this.endings.end(job.id, ['in_progress'], {
      status: end.status,
      statusMessage: await this.masked(job, end.statusMessage ?? null),
      failedStep: end.status === 'succeeded' ? null : (end.step ?? null),
      finishedLeaseId: lease.id,
    });
    if (ended === null) throw await this.leases.lost(job.id);
    return ended.status;
  }

  /** The response again, for the runner whose request ended the job. */
  private async finishedBy({ jobId, leaseId }: LeaseTokenContent): Promise<JobStatus> {
    const job = (await this.jobs.getMany([jobId])).get(jobId);
    if (job === undefined || job.finishedLeaseId !== leaseId) throw await this.leases.lost(jobId);
    return job.status;
  }

  /** The message of a runner is shown to people, as its log is. */
  private async masked(job: Job, message: string | null): Promise<string | null> {
    return message === null ? null : cleanShortText(message, await this.masks.of(job));
  }

  private async lockLease(lease: Lease): Promise<{ logBytes: number; started: boolean }> {
    const held = await this.queries.lockAttempt(lease);
    if (held === null) throw await this.leases.lost(lease.jobId);
    return held;
  }
}
