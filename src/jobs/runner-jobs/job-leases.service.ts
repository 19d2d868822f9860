import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/access/api-token.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobKinds } from '../job-kinds/job-kinds.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import { JobsQueries } from '../jobs/jobs.queries.js';
import { JobsService } from '../jobs/jobs.service.js';
import { type ExtendedLease, JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { LeaseLostError } from '../job-leases/lease-lost.error.js';
import type { Lease } from '../job-leases/lease.js';

/**
 * Leases as runners use them. A lease is valid as long as its row exists, also when it has expired: after an outage, a
 * runner that comes back first keeps its job.
 */
@Injectable()
export class JobLeasesService {
  constructor(
    private readonly jobs: JobsService,
    private readonly jobsQueries: JobsQueries,
    private readonly queries: JobLeasesQueries,
    private readonly kinds: JobKinds,
    private readonly config: Config,
  ) {}

  /**
   * @returns `null` when there is none, it has another token, its runner no longer belongs to the job's organization
   * because it was deleted or the app was transferred, or the organization is suspended
   */
  find(leaseId: string, token: string): Promise<Lease | null> {
    return this.queries.find(leaseId, hashToken(token));
  }

  /** The error for a runner whose lease is gone. */
  async lost(jobId: string): Promise<LeaseLostError> {
    return new LeaseLostError(await this.jobsQueries.statusOf(jobId));
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
      await this.jobsQueries.lock(lease.jobId);
      if ((await this.queries.lockAttempt(lease)) === null) throw await this.lost(lease.jobId);
      return work(await this.jobs.get(lease.jobId));
    });
  }

  /** The runner begins the job, which counts as an attempt. Harmless to repeat. @throws LeaseLostError */
  start(lease: Lease): Promise<JobStatus> {
    return this.hold(lease, async ({ kind, status }) => {
      if (status !== 'pending') return status;
      await this.jobsQueries.start(lease.jobId, lease.attempt);
      await this.kinds.of(kind).started?.(await this.jobs.get(lease.jobId));
      await this.queries.startLog(lease.id);
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
    const extended = await this.queries.extend(lease, this.config.jobs.leaseSeconds, idleSeconds);
    if (extended === null) throw await this.lost(lease.jobId);
    return extended;
  }
}
