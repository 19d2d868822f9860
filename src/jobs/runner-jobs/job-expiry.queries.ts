import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { notSuspended, orResumed } from '../../organizations/organizations/suspensions.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';

/** Jobs that one statement finds. */
const BATCH = 200;

/** A runner that was given a job must start it within this many lengths of a lease. */
const START_WITHIN = 10;
/**
 * The runner itself ends a job that has timed out. This many lengths of a lease later, the server does: a runner that
 * was cut off, or that uploads what it has built, needs some time.
 */
const TIMEOUT_GRACE = 15;

/** A job without a runner that has timed out. */
export interface OverdueJob {
  readonly jobId: string;
  readonly timeoutSeconds: number;
}

/** A lease that has to end. */
export interface DueLease extends OverdueJob {
  readonly id: string;
  readonly reason: 'suspended' | 'expired' | 'stuck' | 'timeout' | 'idle';
}

/** Finds jobs that have to end, or to go back. */
@Injectable()
export class JobExpiryQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** A runner ends its job itself when it times out; this is for one that does not. */
  dueLeases(): Promise<DueLease[]> {
    const { idleSeconds, leaseSeconds } = this.config.jobs;
    return this.sql.query<DueLease>(
      `SELECT * FROM (
         SELECT lease.id, job.id AS "jobId", job.timeout_seconds AS "timeoutSeconds", lease.expires_at,
                CASE WHEN NOT ${notSuspended('job.organization_id')} THEN 'suspended'
                     WHEN lease.expires_at < now() THEN 'expired'
                     WHEN job.status = 'pending' AND lease.granted_at < now() - make_interval(secs => $2) THEN 'stuck'
                     WHEN job.in_progress_at < now() - make_interval(secs => job.timeout_seconds + $3) THEN 'timeout'
                     WHEN job.status = 'in_progress' AND lease.logged_at < now() - make_interval(secs => $1) THEN 'idle'
                END AS reason
           FROM job_leases AS lease JOIN jobs AS job ON job.id = lease.job_id) AS due
        WHERE reason IS NOT NULL ORDER BY expires_at LIMIT ${BATCH}`,
      [idleSeconds + leaseSeconds, START_WITHIN * leaseSeconds, TIMEOUT_GRACE * leaseSeconds],
    );
  }

  /** Jobs of suspended organizations wait: their time counts again when it is over. */
  overdueJobs(): Promise<OverdueJob[]> {
    return this.sql.query<OverdueJob>(
      `SELECT id AS "jobId", timeout_seconds AS "timeoutSeconds" FROM jobs
        WHERE status = 'in_progress' AND NOT ${FOR_RUNNERS} AND ${notSuspended('organization_id')}
          AND ${orResumed('in_progress_at', 'organization_id')} < now() - make_interval(secs => timeout_seconds)
        ORDER BY in_progress_at LIMIT ${BATCH}`,
    );
  }
}
