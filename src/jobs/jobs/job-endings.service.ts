import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { findOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventsService } from '../../events/events.service.js';
import { JobLogArchive } from '../job-logs/job-log-archive.service.js';
import { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import { attemptNote } from '../job-logs/log-notes.js';
import { JobKinds } from '../job-kinds/job-kinds.js';
import { FailureNotes } from './failure-notes.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { toJobDto } from './job.dto.js';
import { Job, type JobStatus, MAX_JOB_ATTEMPTS } from './job.entity.js';
import type { JobEnding } from './job-ending.js';
import { jobFinished } from './jobs.events.js';
import { JobsQueries } from './jobs.queries.js';

/** The one way for a job to end, or to go back. Rows are locked in the order job, lease, log. */
@Injectable()
export class JobEndings {
  constructor(
    @InjectRepository(Job) private readonly jobs: Repository<Job>,
    private readonly queries: JobsQueries,
    private readonly leases: JobLeasesQueries,
    private readonly kinds: JobKinds,
    private readonly logs: JobLogWriter,
    private readonly archive: JobLogArchive,
    private readonly failures: FailureNotes,
    private readonly events: EventsService,
  ) {}

  /**
   * Ends a job that has one of the statuses, with all that belongs to it, in one transaction.
   *
   * @returns the job; `null` when it has another status, or was deleted
   */
  end(jobId: string, from: readonly JobStatus[], ending: JobEnding): Promise<Job | null> {
    return transaction(async () => {
      if (!(await this.queries.end(jobId, from, ending))) return null;
      await this.leases.deleteByJob(jobId);
      const job = await findOrThrow(this.jobs, { id: jobId });
      await this.logs.end(job, ending.note ?? reasonOf(job), () => this.failures.atEnd(job));
      await this.archive.request(jobId, job.organizationId);
      await this.events.record(jobFinished, { appId: job.appId, objectId: jobId, data: toJobDto(job) });
      await this.kinds.of(job.kind).ended(job);
      return job;
    });
  }

  /** As `end`, for a job in progress that is still on a lease. */
  endOfLease(leaseId: string, ending: JobEnding): Promise<Job | null> {
    return transaction(async () => {
      const job = await this.queries.lockByLease(leaseId);
      if (job === null || !(await this.leases.lock(leaseId))) return null;
      return this.end(job.id, ['in_progress'], ending);
    });
  }

  /**
   * Takes a job from its runner. A job that had started begins once more; the second time it has failed. One that had
   * not is as before it was claimed.
   *
   * @param from the statuses that the job may have
   * @param ifExpired whether the lease must have expired
   * @returns the status of the job now; `null` when it does not change
   */
  takeBack(leaseId: string, from: readonly JobStatus[], ifExpired: boolean): Promise<JobStatus | null> {
    return transaction(async () => {
      const found = await this.queries.lockByLease(leaseId);
      if (found === null || !from.includes(found.status)) return null;
      const jobId = found.id;
      const isHeld = ifExpired ? await this.leases.lockExpired(leaseId) : await this.leases.lock(leaseId);
      if (!isHeld) return null;
      const hasStarted = found.status === 'in_progress';
      if (hasStarted && found.attempts >= MAX_JOB_ATTEMPTS) {
        await this.end(jobId, ['in_progress'], {
          status: 'failed',
          statusMessage: 'Two runners were lost during the job.',
          note: 'The runner was lost again, so the job has failed.',
        });
        return 'failed';
      }
      await this.queries.requeue(jobId);
      await this.leases.deleteByJob(jobId);
      const job = await findOrThrow(this.jobs, { id: jobId });
      if (hasStarted) {
        await this.logs.end(job, attemptNote(job.attempts + 1));
        await this.kinds.of(job.kind).requeued(job);
      }
      await this.queries.announce(job.organizationId);
      return 'queued';
    });
  }
}

/** The log is all that clients show of a job that ended before a runner started it. */
function reasonOf({ inProgressAt, statusMessage }: Job): string | null {
  return inProgressAt === null ? statusMessage : null;
}
