import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import { JobsService } from '../jobs/jobs.service.js';
import { LeaseLostError } from './lease-lost.error.js';
import { hashOf } from './lease-token.js';
import type { Lease } from './lease.js';

/** A lease after it was extended. */
export interface ExtendedLease {
  readonly expiresAt: Date;
  readonly status: JobStatus;
}

/**
 * Leases as runners use them. A lease is valid as long as its row exists, also when it has expired: after an outage, a
 * runner that comes back first keeps its job.
 */
@Injectable()
export class JobLeasesService {
  constructor(
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  /**
   * @returns `null` when there is none, it has another token, or its runner is not one of the job's organization any more:
   *   it was deleted, or the app was transferred
   */
  async find(leaseId: string, token: string): Promise<Lease | null> {
    const [lease] = await sql<Lease>(
      `SELECT lease.id, job.id AS "jobId", lease.attempt, lease.runner_id AS "runnerId",
              job.organization_id AS "organizationId", job.app_id AS "appId"
         FROM job_leases AS lease JOIN jobs AS job ON job.id = lease.job_id
         JOIN runners AS runner ON runner.id = lease.runner_id
          AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        WHERE lease.id = $1 AND lease.token_hash = $2`,
      [leaseId, hashOf(token)],
    );
    return lease ?? null;
  }

  /** The error for a runner whose lease is gone. */
  async lost(jobId: string): Promise<LeaseLostError> {
    const [job] = await sql<{ status: JobStatus }>('SELECT status FROM jobs WHERE id = $1', [jobId]);
    return new LeaseLostError(job?.status ?? null);
  }

  /**
   * Does work for a runner in a transaction, in which the job stays its own. Nothing may wait in it.
   *
   * @param work gets the job, which is `pending` or `in_progress`
   * @throws LeaseLostError
   */
  hold<R>(lease: Lease, work: (job: Job) => Promise<R>): Promise<R> {
    return transaction(async () => {
      // The job before the lease, as everywhere.
      await sql('SELECT FROM jobs WHERE id = $1 FOR NO KEY UPDATE', [lease.jobId]);
      const held = await sql('SELECT FROM job_leases WHERE id = $1 AND attempt = $2 FOR UPDATE', [
        lease.id,
        lease.attempt,
      ]);
      if (held.length === 0) throw await this.lost(lease.jobId);
      return work(await this.jobs.get(lease.jobId));
    });
  }

  /** The runner begins the job, which counts as an attempt. Harmless to repeat. @throws LeaseLostError */
  start(lease: Lease): Promise<JobStatus> {
    return this.hold(lease, async ({ status }) => {
      if (status !== 'pending') return status;
      await sql(
        `UPDATE jobs SET status = 'in_progress', attempts = $2, updated_at = now(),
                in_progress_at = greatest(clock_timestamp(), pending_at)
          WHERE id = $1 AND status = 'pending'`,
        [lease.jobId, lease.attempt],
      );
      await sql('UPDATE job_leases SET logged_at = clock_timestamp() WHERE id = $1', [lease.id]);
      await this.extend(lease);
      return 'in_progress';
    });
  }

  /**
   * The runner is there: the lease lasts from now on.
   *
   * @param idleSeconds since the build got on; `null`: the runner does not say
   * @throws LeaseLostError
   */
  async extend(lease: Lease, idleSeconds: number | null = null): Promise<ExtendedLease> {
    const [extended] = await sql<ExtendedLease>(
      `UPDATE job_leases AS lease SET expires_at = clock_timestamp() + make_interval(secs => $3),
              logged_at = greatest(lease.logged_at, clock_timestamp() - make_interval(secs => $4))
         FROM jobs AS job
        WHERE lease.id = $1 AND lease.attempt = $2 AND job.id = lease.job_id
       RETURNING lease.expires_at AS "expiresAt", job.status`,
      [lease.id, lease.attempt, this.config.jobs.leaseSeconds, idleSeconds],
    );
    if (extended === undefined) throw await this.lost(lease.jobId);
    return extended;
  }
}
