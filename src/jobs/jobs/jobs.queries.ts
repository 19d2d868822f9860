import { Injectable } from '@nestjs/common';
import type { JobApps } from '../../apps/app-access/job-apps.js';
import { JOBS } from '../../database/change-signals.js';
import { Sql } from '../../database/sql.js';
import { MAX_STATUS_MESSAGE, type JobEnding } from './job-ending.js';
import { FOR_RUNNERS, type Job, type JobStatus } from './job.entity.js';

/** One run of a worker: of its step of the job, so many have begun. */
export interface RunId {
  readonly step: number;
  readonly runs: number;
}

/** A job, and the step that is next. */
export type SteppedJob = Pick<Job, 'id' | 'kind' | 'organizationId' | 'step'>;

@Injectable()
export class JobsQueries implements JobApps {
  constructor(private readonly sql: Sql) {}

  /** The app of a job; `null`: there is no such job. */
  async appOf(jobId: string): Promise<string | null> {
    const [job] = await this.sql.query<{ appId: string }>(
      'SELECT app_id AS "appId" FROM jobs WHERE id = $1',
      [jobId],
    );
    return job?.appId ?? null;
  }

  /** The status of a job; `null`: there is no such job. */
  async statusOf(jobId: string): Promise<JobStatus | null> {
    const [job] = await this.sql.query<{ status: JobStatus }>('SELECT status FROM jobs WHERE id = $1', [
      jobId,
    ]);
    return job?.status ?? null;
  }

  /** Announces to all replicas, at the commit, that runners may find a job of the organization. */
  async announce(organizationId: string): Promise<void> {
    await this.sql.query('SELECT pg_notify($1, $2)', [JOBS, organizationId]);
  }

  /** Lets runners take a held job. @returns its organization; `null`: it was not held, or has ended */
  async release(jobId: string): Promise<string | null> {
    const [job] = await this.sql.query<{ organizationId: string }>(
      `UPDATE jobs SET is_held = false, updated_at = now() WHERE id = $1 AND is_held AND status = 'queued'
       RETURNING organization_id AS "organizationId"`,
      [jobId],
    );
    return job?.organizationId ?? null;
  }

  /** Locks a job until the transaction ends. */
  async lock(jobId: string): Promise<void> {
    await this.sql.query('SELECT FROM jobs WHERE id = $1 FOR NO KEY UPDATE', [jobId]);
  }

  /** As `lock`, the job of a lease, which may be gone when the lock is there. */
  async lockByLease(leaseId: string): Promise<Pick<Job, 'id' | 'status' | 'attempts'> | null> {
    const [job] = await this.sql.query<Pick<Job, 'id' | 'status' | 'attempts'>>(
      `SELECT id, status, attempts FROM jobs WHERE id = (SELECT job_id FROM job_leases WHERE id = $1)
          FOR NO KEY UPDATE`,
      [leaseId],
    );
    return job ?? null;
  }

  /** The runner of a pending job has started it. */
  async start(jobId: string, attempt: number): Promise<void> {
    await this.sql.execute(
      `UPDATE jobs SET status = 'in_progress', attempts = $2, updated_at = now(),
              in_progress_at = greatest(clock_timestamp(), pending_at)
        WHERE id = $1 AND status = 'pending'`,
      [jobId, attempt],
    );
  }

  /**
   * A worker begins a step of a job that no runner executes, also one that a lost worker had. Step and count of its runs
   * identify the run. A job that continues with another step has started with its first one.
   *
   * @returns the count; `null`: the job is at another step, has ended, or was deleted
   */
  async startRun(jobId: string, step: number): Promise<number | null> {
    const [started] = await this.sql.query<{ runs: number }>(
      `UPDATE jobs SET status = 'in_progress', step_runs = step_runs + 1, updated_at = now(),
              in_progress_at = CASE WHEN step > 0 AND status = 'in_progress' THEN in_progress_at
                                    ELSE greatest(clock_timestamp(), queued_at, in_progress_at) END
        WHERE id = $1 AND step = $2 AND status IN ('queued', 'in_progress') AND NOT ${FOR_RUNNERS}
        RETURNING step_runs AS runs`,
      [jobId, step],
    );
    return started?.runs ?? null;
  }

  /** As `lock`, while the job is in this run. @returns whether it is */
  async lockRun(jobId: string, { step, runs }: RunId): Promise<boolean> {
    const held = await this.sql.query(
      `SELECT FROM jobs WHERE id = $1 AND status = 'in_progress' AND step = $2 AND step_runs = $3
          FOR NO KEY UPDATE`,
      [jobId, step, runs],
    );
    return held.length > 0;
  }

  /** Puts a locked job back that a worker could not do, or that has to wait. */
  async putBack(jobId: string): Promise<void> {
    await this.sql.execute(
      `UPDATE jobs SET status = 'queued', in_progress_at = NULL, updated_at = now(),
              queued_at = greatest(clock_timestamp(), in_progress_at + interval '1 millisecond')
        WHERE id = $1 AND status = 'in_progress' AND NOT ${FOR_RUNNERS}`,
      [jobId],
    );
  }

  /**
   * Lets a job continue with its next step: tasks that are planned for the present one no longer do anything.
   *
   * @param from the statuses that the job may have
   * @returns the job at that step; `null`: it has another status, or was deleted
   */
  async nextStep(jobId: string, from: readonly JobStatus[]): Promise<SteppedJob | null> {
    const [job] = await this.sql.query<SteppedJob>(
      `UPDATE jobs SET step = step + 1, step_runs = 0, updated_at = now()
        WHERE id = $1 AND status = ANY($2) AND NOT ${FOR_RUNNERS}
        RETURNING id, kind, organization_id AS "organizationId", step`,
      [jobId, from],
    );
    return job ?? null;
  }

  /** Ends a job that has one of the statuses. @returns whether it had */
  async end(jobId: string, from: readonly JobStatus[], ending: JobEnding): Promise<boolean> {
    const ended = await this.sql.execute(
      `UPDATE jobs SET status = $3, status_message = $4, failed_step = $5, canceled_by = $6, finished_lease_id = $7,
              is_held = false, updated_at = now(), finished_at = greatest(clock.at, in_progress_at, pending_at, queued_at),
              canceled_at = CASE WHEN $3 = 'canceled' THEN greatest(clock.at, in_progress_at, pending_at, queued_at) END
         FROM (SELECT clock_timestamp() AS at) AS clock
        WHERE id = $1 AND status = ANY($2)`,
      [
        jobId,
        from,
        ending.status,
        ending.statusMessage == null ? null : shortened(ending.statusMessage),
        ending.failedStep ?? null,
        ending.canceledBy ?? null,
        ending.finishedLeaseId ?? null,
      ],
    );
    return ended > 0;
  }

  /** Puts a job back that a runner has. One that never started has waited all the time. */
  async requeue(jobId: string): Promise<void> {
    await this.sql.execute(
      `UPDATE jobs SET status = 'queued', pending_at = NULL, in_progress_at = NULL, runner_id = NULL, updated_at = now(),
              queued_at = CASE WHEN status = 'pending' THEN queued_at ELSE clock_timestamp() END
        WHERE id = $1`,
      [jobId],
    );
  }
}

/** Clients show a message in one line. */
function shortened(message: string): string {
  if (message.length <= MAX_STATUS_MESSAGE) return message;
  return `${message.slice(0, MAX_STATUS_MESSAGE - 1).toWellFormed()}…`;
}
