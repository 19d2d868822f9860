import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { findOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLogArchive } from '../job-logs/job-log-archive.service.js';
import { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import { attemptNote } from '../job-logs/log-notes.js';
import { announceJobs } from './announce-jobs.js';
import { type FinalJobStatus, Job, type JobStatus, MAX_JOB_ATTEMPTS } from './job.entity.js';
import { JobKinds } from '../job-kinds/job-kinds.js';

/** How a job ends. */
export interface JobEnding {
  readonly status: FinalJobStatus;
  readonly statusMessage?: string | null;
  readonly failedStep?: string | null;
  /** A sentence for the log of a job that had started. */
  readonly note?: string;
  /** The user, for `canceled`. */
  readonly canceledBy?: string;
  /** The lease of the runner that finishes it. */
  readonly finishedLeaseId?: string;
}

/** The one way for a job to end, or to go back. Rows are locked in the order job, lease, log. */
@Injectable()
export class JobEndings {
  constructor(
    @InjectRepository(Job) private readonly jobs: Repository<Job>,
    private readonly kinds: JobKinds,
    private readonly logs: JobLogWriter,
    private readonly archive: JobLogArchive,
  ) {}

  /**
   * Ends a job that has one of the statuses, with all that belongs to it, in one transaction.
   *
   * @returns the job; `null` when it has another status, or was deleted
   */
  end(jobId: string, from: readonly JobStatus[], ending: JobEnding): Promise<Job | null> {
    return transaction(async () => {
      const ended = await sql(
        `UPDATE jobs SET status = $3, status_message = $4, failed_step = $5, canceled_by = $6, finished_lease_id = $7,
                is_held = false, updated_at = now(), finished_at = greatest(clock.at, in_progress_at, pending_at, queued_at),
                canceled_at = CASE WHEN $3 = 'canceled' THEN greatest(clock.at, in_progress_at, pending_at, queued_at) END
           FROM (SELECT clock_timestamp() AS at) AS clock
          WHERE id = $1 AND status = ANY($2) RETURNING id`,
        [
          jobId,
          from,
          ending.status,
          ending.statusMessage ?? null,
          ending.failedStep ?? null,
          ending.canceledBy ?? null,
          ending.finishedLeaseId ?? null,
        ],
      );
      if (ended.length === 0) return null;
      await sql('DELETE FROM job_leases WHERE job_id = $1', [jobId]);
      const job = await findOrThrow(this.jobs, { id: jobId });
      if (job.attempts > 0 || job.inProgressAt !== null) {
        await this.logs.end(job, ending.note ?? null);
        await this.archive.request(jobId);
      }
      await this.kinds.of(job.kind).ended(job);
      return job;
    });
  }

  /** As `end`, for a job in progress that is still on a lease. */
  endOfLease(leaseId: string, ending: JobEnding): Promise<Job | null> {
    return transaction(async () => {
      const [job] = await sql<{ id: string }>(
        `SELECT job.id FROM jobs AS job WHERE job.id = (SELECT job_id FROM job_leases WHERE id = $1)
            FOR NO KEY UPDATE`,
        [leaseId],
      );
      if (job === undefined) return null;
      const held = await sql('SELECT FROM job_leases WHERE id = $1 FOR UPDATE', [leaseId]);
      return held.length === 0 ? null : this.end(job.id, ['in_progress'], ending);
    });
  }

  /**
   * Takes a job from its runner. A job that had started begins once more; the second time it has failed. One that had not
   * is as before it was claimed.
   *
   * @param from the statuses that the job may have
   * @param ifExpired whether the lease must have expired
   * @returns the status of the job now; `null` when it stays as it is
   */
  takeBack(leaseId: string, from: readonly JobStatus[], ifExpired: boolean): Promise<JobStatus | null> {
    return transaction(async () => {
      const [found] = await sql<Pick<Job, 'id' | 'status' | 'attempts'>>(
        `SELECT id, status, attempts FROM jobs WHERE id = (SELECT job_id FROM job_leases WHERE id = $1)
            FOR NO KEY UPDATE`,
        [leaseId],
      );
      if (found === undefined || !from.includes(found.status)) return null;
      const jobId = found.id;
      const lease = await sql(
        'SELECT FROM job_leases WHERE id = $1 AND (expires_at < clock_timestamp() OR NOT $2) FOR UPDATE',
        [leaseId, ifExpired],
      );
      if (lease.length === 0) return null;
      const hasStarted = found.status === 'in_progress';
      if (hasStarted && found.attempts >= MAX_JOB_ATTEMPTS) {
        await this.end(jobId, ['in_progress'], {
          status: 'failed',
          statusMessage: 'Two runners were lost during the job.',
          note: 'The runner was lost again, so the job has failed.',
        });
        return 'failed';
      }
      // A job that never started has waited all the time.
      await sql(
        `UPDATE jobs SET status = 'queued', pending_at = NULL, in_progress_at = NULL, runner_id = NULL, updated_at = now(),
                queued_at = CASE WHEN status = 'pending' THEN queued_at ELSE clock_timestamp() END
          WHERE id = $1`,
        [jobId],
      );
      await sql('DELETE FROM job_leases WHERE job_id = $1', [jobId]);
      const job = await findOrThrow(this.jobs, { id: jobId });
      if (hasStarted) {
        await this.logs.end(job, attemptNote(job.attempts + 1));
        await this.kinds.of(job.kind).requeued(job);
      }
      await announceJobs(job.organizationId);
      return 'queued';
    });
  }
}
