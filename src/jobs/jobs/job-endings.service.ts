import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { findOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type FinalJobStatus, Job, type JobStatus } from './job.entity.js';
import { JobKinds } from './job-kinds.js';

/** How a job ends. */
export interface JobEnding {
  readonly status: FinalJobStatus;
  readonly statusMessage?: string | null;
  readonly failedStep?: string | null;
  /** The user, for `canceled`. */
  readonly canceledBy?: string;
  /** The lease of the runner that finishes it. */
  readonly finishedLeaseId?: string;
}

/** The one way for a job to end. Rows are locked in the order job, lease, log. */
@Injectable()
export class JobEndings {
  constructor(
    @InjectRepository(Job) private readonly jobs: Repository<Job>,
    private readonly kinds: JobKinds,
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
      await this.kinds.of(job.kind).ended(job);
      return job;
    });
  }
}
