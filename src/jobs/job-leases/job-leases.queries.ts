import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { notSuspended } from '../../organizations/organizations/suspensions.js';
import type { JobStatus } from '../jobs/job.entity.js';
import type { LeaseToken } from './lease-token.js';
import type { Lease } from './lease.js';

/** The job that a claim was given, as the runner learns it. */
export interface GrantedJob {
  readonly leaseId: string;
  readonly jobId: string;
  readonly attempt: number;
  readonly kind: string;
  readonly platform: string;
  readonly stack: string;
  readonly appId: string;
  readonly organizationId: string;
  readonly timeoutSeconds: number;
  /** How long it waited in the queue. */
  readonly queueSeconds: number;
  readonly expiresAt: Date;
}

/** A lease to be written. */
export interface NewLease extends Pick<LeaseToken, 'hash'> {
  readonly id: string;
  readonly jobId: string;
  readonly runnerId: string;
  readonly sessionId: string;
  readonly claimId: string;
}

/** A lease after it was extended. */
export interface ExtendedLease {
  readonly expiresAt: Date;
  readonly status: JobStatus;
}

const grantColumns = `lease.id AS "leaseId", job.id AS "jobId", lease.attempt, job.kind, job.platform, job.stack,
  job.app_id AS "appId", job.organization_id AS "organizationId", job.timeout_seconds AS "timeoutSeconds",
  lease.expires_at AS "expiresAt", extract(epoch FROM job.pending_at - job.queued_at)::float8 AS "queueSeconds"`;

/** SQL of leases. Rows are locked in the order job, lease. */
@Injectable()
export class JobLeasesQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Gives jobs that are locked to runners. A claim that has a job already, because another replica gave it one, gets none.
   *
   * @param leases in the order in which the jobs were given
   * @returns the jobs that were given
   */
  async grant(leases: readonly NewLease[], leaseSeconds: number): Promise<GrantedJob[]> {
    const written = await this.sql.query<{ id: string }>(
      `INSERT INTO job_leases (id, job_id, attempt, runner_id, session_id, claim_id, token_hash, expires_at)
       SELECT new.id, job.id, job.attempts + 1, new."runnerId", new."sessionId", new."claimId", new.hash,
              clock_timestamp() + $2 * interval '1 second'
         FROM jsonb_to_recordset($1::jsonb)
              AS new (id uuid, "jobId" uuid, "runnerId" uuid, "sessionId" uuid, "claimId" uuid, hash text)
         JOIN jobs AS job ON job.id = new."jobId"
       ON CONFLICT DO NOTHING RETURNING id`,
      [JSON.stringify(leases), leaseSeconds],
    );
    const ids = written.map(({ id }) => id);
    const granted = await this.sql.query<GrantedJob>(
      `UPDATE jobs AS job
          SET status = 'pending', pending_at = greatest(clock_timestamp(), queued_at), runner_id = lease.runner_id,
              updated_at = now()
         FROM job_leases AS lease WHERE lease.id = ANY($1) AND job.id = lease.job_id RETURNING ${grantColumns}`,
      [ids],
    );
    const order = new Map(leases.map(({ id }, index) => [id, index]));
    return granted.toSorted((a, b) => (order.get(a.leaseId) ?? 0) - (order.get(b.leaseId) ?? 0));
  }

  /** The jobs that these claims have already, with leases that have not expired. */
  granted(claims: readonly Pick<NewLease, 'runnerId' | 'sessionId' | 'claimId'>[]) {
    return this.sql.query<GrantedJob & { readonly runnerId: string; readonly claimId: string }>(
      `SELECT ${grantColumns}, lease.runner_id AS "runnerId", lease.claim_id AS "claimId"
         FROM jsonb_to_recordset($1::jsonb) AS claim ("runnerId" uuid, "sessionId" uuid, "claimId" uuid)
         JOIN job_leases AS lease ON lease.runner_id = claim."runnerId" AND lease.session_id = claim."sessionId"
          AND lease.claim_id = claim."claimId"
         JOIN jobs AS job ON job.id = lease.job_id
         JOIN runners AS runner ON runner.id = lease.runner_id
          AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        WHERE lease.expires_at > now()`,
      [JSON.stringify(claims)],
    );
  }

  /** Notes the token of a lease, which another key may have made. */
  async setToken(leaseId: string, hash: string): Promise<void> {
    await this.sql.execute('UPDATE job_leases SET token_hash = $2 WHERE id = $1 AND token_hash <> $2', [
      leaseId,
      hash,
    ]);
  }

  /** Renews the lease of a claim that is repeated in the same session. @returns its job; `null`: the claim has none */
  async renew(
    runnerId: string,
    { sessionId, claimId }: Pick<NewLease, 'sessionId' | 'claimId'>,
    leaseSeconds: number,
  ): Promise<GrantedJob | null> {
    const [granted] = await this.sql.query<GrantedJob>(
      `UPDATE job_leases AS lease SET expires_at = clock_timestamp() + $3 * interval '1 second'
         FROM jobs AS job, runners AS runner
        WHERE job.id = lease.job_id AND lease.runner_id = $1 AND lease.session_id = $4 AND lease.claim_id = $2
          AND lease.expires_at > now()
          AND runner.id = $1 AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        RETURNING ${grantColumns}`,
      [runnerId, claimId, leaseSeconds, sessionId],
    );
    return granted ?? null;
  }

  /**
   * @returns `null` when there is none, it has another token, its runner is not one of the job's organization, or that is
   * suspended
   */
  async find(leaseId: string, tokenHash: string): Promise<Lease | null> {
    const [lease] = await this.sql.query<Lease>(
      `SELECT lease.id, job.id AS "jobId", lease.attempt, lease.runner_id AS "runnerId",
              job.organization_id AS "organizationId", job.app_id AS "appId"
         FROM job_leases AS lease JOIN jobs AS job ON job.id = lease.job_id
         JOIN runners AS runner ON runner.id = lease.runner_id
          AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        WHERE lease.id = $1 AND lease.token_hash = $2 AND ${notSuspended('job.organization_id')}`,
      [leaseId, tokenHash],
    );
    return lease ?? null;
  }

  /** Locks a lease until the transaction ends. @returns whether it is still there */
  async lock(leaseId: string): Promise<boolean> {
    const held = await this.sql.query('SELECT FROM job_leases WHERE id = $1 FOR UPDATE', [leaseId]);
    return held.length > 0;
  }

  /** As `lock`, if it has expired. */
  async lockExpired(leaseId: string): Promise<boolean> {
    const held = await this.sql.query(
      'SELECT FROM job_leases WHERE id = $1 AND expires_at < clock_timestamp() FOR UPDATE',
      [leaseId],
    );
    return held.length > 0;
  }

  /** As `lock`, if it is still for this attempt. @returns what the log has, and whether the job runs; `null`: it is not */
  async lockAttempt({ id, attempt }: Lease): Promise<{ logBytes: number; started: boolean } | null> {
    const [held] = await this.sql.query<{ logBytes: number; started: boolean }>(
      `SELECT lease.log_bytes AS "logBytes", job.status = 'in_progress' AS started
         FROM job_leases AS lease JOIN jobs AS job ON job.id = lease.job_id
        WHERE lease.id = $1 AND lease.attempt = $2 FOR UPDATE OF lease`,
      [id, attempt],
    );
    return held ?? null;
  }

  /**
   * The runner is there: the lease lasts from now on.
   *
   * @param idleSeconds since the build got on; `null`: the runner does not say
   * @returns `null` when the lease is gone
   */
  async extend(
    { id, attempt }: Lease,
    leaseSeconds: number,
    idleSeconds: number | null,
  ): Promise<ExtendedLease | null> {
    const [extended] = await this.sql.query<ExtendedLease>(
      `UPDATE job_leases AS lease SET expires_at = clock_timestamp() + make_interval(secs => $3),
              logged_at = greatest(lease.logged_at, clock_timestamp() - make_interval(secs => $4))
         FROM jobs AS job
        WHERE lease.id = $1 AND lease.attempt = $2 AND job.id = lease.job_id
       RETURNING lease.expires_at AS "expiresAt", job.status`,
      [id, attempt, leaseSeconds, idleSeconds],
    );
    return extended ?? null;
  }

  /** The job starts: silence counts from now on. */
  async startLog(leaseId: string): Promise<void> {
    await this.sql.execute('UPDATE job_leases SET logged_at = clock_timestamp() WHERE id = $1', [leaseId]);
  }

  /** The log has grown, which extends the lease. @param logBytes of this attempt now */
  async setLogBytes(leaseId: string, logBytes: number, leaseSeconds: number): Promise<void> {
    await this.sql.execute(
      `UPDATE job_leases SET log_bytes = $2, logged_at = clock_timestamp(),
              expires_at = clock_timestamp() + make_interval(secs => $3) WHERE id = $1`,
      [leaseId, logBytes, leaseSeconds],
    );
  }

  /** Lets the leases of a runner expire. */
  async expireByRunner(runnerId: string): Promise<void> {
    await this.sql.execute(
      'UPDATE job_leases SET expires_at = least(expires_at, now()) WHERE runner_id = $1',
      [runnerId],
    );
  }

  /** Takes the job away from its runner. */
  async deleteByJob(jobId: string): Promise<void> {
    await this.sql.execute('DELETE FROM job_leases WHERE job_id = $1', [jobId]);
  }

  /**
   * Puts jobs back that were given, but not started.
   *
   * @param where a condition on `lease`, such as `lease.session_id = $1`
   */
  async giveBack(where: string, parameters: readonly unknown[]): Promise<void> {
    await this.sql.execute(
      `WITH job AS (
         SELECT jobs.id FROM jobs JOIN job_leases AS lease ON lease.job_id = jobs.id
          WHERE jobs.status = 'pending' AND ${where} ORDER BY jobs.id FOR NO KEY UPDATE OF jobs),
       lease AS (DELETE FROM job_leases AS lease USING job WHERE lease.job_id = job.id AND ${where} RETURNING lease.job_id)
       UPDATE jobs SET status = 'queued', pending_at = NULL, runner_id = NULL, updated_at = now()
         FROM lease WHERE jobs.id = lease.job_id AND jobs.status = 'pending'`,
      parameters,
    );
  }
}
