import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import type { LeaseToken } from '../job-leases/lease-token.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';
import type { RunnerAbilities } from './abilities.js';
import type { QueuedJob } from './assign.js';
import type { GrantedJob } from './waiting-claims.js';

/** How long jobs of automations let those of people pass, as an interval of PostgreSQL. */
const AUTOMATIONS_YIELD = '10 minutes';

/** The session of a runner that may take jobs. */
export interface ReadySession extends RunnerAbilities {
  readonly sessionId: string;
  /** Whether it gets no jobs. */
  readonly isPaused: boolean;
  /** How many more jobs it can take. */
  readonly free: number;
}

/** A queue whose row this transaction has locked. */
export interface LockedQueue {
  readonly organizationId: string;
  /** `null`: the limit of the configuration. */
  readonly runningLimit: number | null;
}

/** Running jobs of an app. */
export interface RunningCount {
  readonly organizationId: string;
  readonly appId: string;
  readonly running: number;
}

/** An app with queued jobs; the one that was served least recently first. */
export interface CandidateApp {
  readonly organizationId: string;
  readonly appId: string;
  readonly runningLimit: number | null;
}

/** What runners of one kind can do, and how many jobs of an app to load for them at most. */
export interface RunnerClass extends RunnerAbilities {
  readonly count: number;
}

/** A lease to be written. */
export interface NewLease extends Pick<LeaseToken, 'hash'> {
  readonly id: string;
  readonly jobId: string;
  readonly runnerId: string;
  readonly sessionId: string;
  readonly claimId: string;
}

const grantColumns = `lease.id AS "leaseId", job.id AS "jobId", lease.attempt, job.kind, job.platform, job.stack,
  job.app_id AS "appId", job.organization_id AS "organizationId", job.timeout_seconds AS "timeoutSeconds",
  lease.expires_at AS "expiresAt", extract(epoch FROM job.pending_at - job.queued_at)::float8 AS "queueSeconds"`;

/** The statements that give jobs to runners. */
@Injectable()
export class JobQueuesQueries {
  constructor(private readonly config: Config) {}

  /** Of these organizations, those with jobs that runners may take. @param organizationIds `null`: of all */
  async organizationsWithJobs(organizationIds: readonly string[] | null): Promise<string[]> {
    const rows = await sql<{ id: string }>(
      `SELECT DISTINCT organization_id AS id FROM jobs
        WHERE status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held
          AND ($1::uuid[] IS NULL OR organization_id = ANY($1))`,
      [organizationIds],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the queues of organizations until the transaction ends. What others did under these locks is visible to the
   * next statement.
   *
   * @param wait whether to wait for rows that others have locked; otherwise they are left out
   * @returns the one that was served least recently first
   */
  async lock(organizationIds: readonly string[], wait: boolean): Promise<LockedQueue[]> {
    await sql(
      `INSERT INTO job_queues (organization_id)
       SELECT id FROM organizations WHERE id = ANY($1)
          AND NOT EXISTS (SELECT FROM job_queues AS queue WHERE queue.organization_id = organizations.id)
       ON CONFLICT DO NOTHING`,
      [organizationIds],
    );
    // Those who wait take the locks in one order, so that they never wait for each other.
    const order = wait ? 'organization_id' : 'last_served_at NULLS FIRST, organization_id';
    const rows = await sql<LockedQueue & { readonly lastServedAt: Date | null }>(
      `SELECT organization_id AS "organizationId", running_limit AS "runningLimit", last_served_at AS "lastServedAt"
         FROM job_queues WHERE organization_id = ANY($1) ORDER BY ${order} FOR NO KEY UPDATE ${wait ? '' : 'SKIP LOCKED'}`,
      [organizationIds],
    );
    return rows.toSorted((a, b) => Number(a.lastServedAt) - Number(b.lastServedAt));
  }

  /** The sessions that are still those of valid runners, with what these can do. */
  sessions(sessionIds: readonly string[]): Promise<ReadySession[]> {
    return sql<ReadySession>(
      `SELECT session.id AS "sessionId", runner.organization_id AS "organizationId", runner.app_ids AS "appIds",
              runner.is_paused AS "isPaused", session.stacks,
              ARRAY(SELECT unnest(session.platforms) INTERSECT SELECT unnest(coalesce(runner.platforms, session.platforms))) AS platforms,
              ARRAY(SELECT unnest(session.labels) WHERE $2 UNION SELECT unnest(runner.labels)) AS labels,
              session.slots - (SELECT count(*) FROM job_leases AS lease WHERE lease.session_id = session.id) AS free
         FROM runner_sessions AS session JOIN runners AS runner ON runner.id = session.runner_id
        WHERE session.id = ANY($1) AND session.ended_at IS NULL
          AND (runner.expires_at IS NULL OR runner.expires_at > now())`,
      [sessionIds, this.config.runners.reportedLabels],
    );
  }

  /** How many jobs runners have. */
  running(organizationIds: readonly string[]): Promise<RunningCount[]> {
    return sql<RunningCount>(
      `SELECT organization_id AS "organizationId", app_id AS "appId", count(*)::int AS running
         FROM jobs WHERE status IN ('pending', 'in_progress') AND ${FOR_RUNNERS} AND organization_id = ANY($1)
        GROUP BY 1, 2`,
      [organizationIds],
    );
  }

  /** The apps with queued jobs, the one that was served least recently first. */
  apps(organizationIds: readonly string[]): Promise<CandidateApp[]> {
    return sql<CandidateApp>(
      `SELECT queued.organization_id AS "organizationId", queued.app_id AS "appId", app.running_limit AS "runningLimit"
         FROM (SELECT DISTINCT organization_id, app_id FROM jobs
                WHERE status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held AND organization_id = ANY($1)) AS queued
         LEFT JOIN job_queue_apps AS app ON app.app_id = queued.app_id
        ORDER BY app.last_served_at NULLS FIRST, queued.app_id`,
      [organizationIds],
    );
  }

  /** For each of the apps, the oldest jobs that runners of each class can take. Oldest first. */
  jobs(apps: readonly CandidateApp[], classes: readonly RunnerClass[]): Promise<QueuedJob[]> {
    return sql<QueuedJob>(
      `SELECT DISTINCT ON (job.created_at, job.id) job.id, job.organization_id AS "organizationId", job.app_id AS "appId",
              job.platform, job.stack, job.labels, pass.yields
         FROM jsonb_to_recordset($1::jsonb) AS app ("organizationId" uuid, "appId" uuid)
         JOIN jsonb_to_recordset($2::jsonb) AS class
              ("organizationId" uuid, "appIds" uuid[], platforms text[], stacks text[], labels text[], count int)
           ON (class."organizationId" IS NULL OR class."organizationId" = app."organizationId")
          AND (class."appIds" IS NULL OR app."appId" = ANY(class."appIds"))
        CROSS JOIN (VALUES (false), (true)) AS pass (yields)
        CROSS JOIN LATERAL (
              SELECT * FROM jobs
               WHERE status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held
                 AND organization_id = app."organizationId" AND app_id = app."appId"
                 AND (is_automated AND created_at > now() - $3::interval) = pass.yields
                 AND platform = ANY(class.platforms) AND labels <@ class.labels
                 AND (platform <> 'ios' OR stack = ANY(class.stacks))
               ORDER BY created_at LIMIT class.count) AS job
        ORDER BY job.created_at, job.id`,
      [JSON.stringify(apps), JSON.stringify(classes), AUTOMATIONS_YIELD],
    );
  }

  /** Locks those of the jobs that are still queued. One that is being canceled now is left out. */
  async lockJobs(jobIds: readonly string[]): Promise<Set<string>> {
    const rows = await sql<{ id: string }>(
      `SELECT id FROM jobs WHERE id = ANY($1) AND status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held
          FOR NO KEY UPDATE SKIP LOCKED`,
      [jobIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Gives jobs that are locked to runners. A claim that has a job already, because another replica gave it one, gets none.
   *
   * @param leases in the order in which the jobs were given
   * @returns the jobs that were given
   */
  async grant(leases: readonly NewLease[], leaseSeconds: number): Promise<GrantedJob[]> {
    const written = await sql<{ id: string }>(
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
    const granted = await sql<GrantedJob>(
      `UPDATE jobs AS job
          SET status = 'pending', pending_at = greatest(clock_timestamp(), queued_at), runner_id = lease.runner_id,
              updated_at = now()
         FROM job_leases AS lease WHERE lease.id = ANY($1) AND job.id = lease.job_id RETURNING ${grantColumns}`,
      [ids],
    );
    const order = new Map(leases.map(({ id }, index) => [id, index]));
    return granted.toSorted((a, b) => (order.get(a.leaseId) ?? 0) - (order.get(b.leaseId) ?? 0));
  }

  /** Notes who was served, the last one latest. */
  async noteServed(granted: readonly GrantedJob[]): Promise<void> {
    const rows = granted.map(({ organizationId, appId }, place) => ({ organizationId, appId, place }));
    await sql(
      `WITH served AS (
         SELECT "organizationId", "appId", clock_timestamp() + max(place) * interval '1 millisecond' AS at
           FROM jsonb_to_recordset($1::jsonb) AS row ("organizationId" uuid, "appId" uuid, place int) GROUP BY 1, 2),
       apps AS (
         INSERT INTO job_queue_apps (app_id, last_served_at) SELECT "appId", at FROM served
         ON CONFLICT (app_id) DO UPDATE SET last_served_at = excluded.last_served_at)
       UPDATE job_queues SET last_served_at = last.at
         FROM (SELECT "organizationId", max(at) AS at FROM served GROUP BY 1) AS last
        WHERE organization_id = last."organizationId"`,
      [JSON.stringify(rows)],
    );
  }

  /** The jobs that these claims have already, with leases that have not expired. */
  granted(claims: readonly { readonly runnerId: string; readonly claimId: string }[]) {
    return sql<GrantedJob & { readonly runnerId: string; readonly claimId: string }>(
      `SELECT ${grantColumns}, lease.runner_id AS "runnerId", lease.claim_id AS "claimId"
         FROM jsonb_to_recordset($1::jsonb) AS claim ("runnerId" uuid, "claimId" uuid)
         JOIN job_leases AS lease ON lease.runner_id = claim."runnerId" AND lease.claim_id = claim."claimId"
         JOIN jobs AS job ON job.id = lease.job_id
         JOIN runners AS runner ON runner.id = lease.runner_id
          AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        WHERE lease.expires_at > now()`,
      [JSON.stringify(claims)],
    );
  }

  /** Notes the token of a lease, which another key may have made. */
  async setToken(leaseId: string, hash: string): Promise<void> {
    await sql('UPDATE job_leases SET token_hash = $2 WHERE id = $1 AND token_hash <> $2', [leaseId, hash]);
  }

  /** Renews the lease of a claim that is repeated. @returns its job; `null`: the claim has none */
  async renew(runnerId: string, claimId: string, leaseSeconds: number): Promise<GrantedJob | null> {
    const [granted] = await sql<GrantedJob>(
      `UPDATE job_leases AS lease SET expires_at = clock_timestamp() + $3 * interval '1 second'
         FROM jobs AS job, runners AS runner
        WHERE job.id = lease.job_id AND lease.runner_id = $1 AND lease.claim_id = $2 AND lease.expires_at > now()
          AND runner.id = $1 AND (runner.organization_id IS NULL OR runner.organization_id = job.organization_id)
        RETURNING ${grantColumns}`,
      [runnerId, claimId, leaseSeconds],
    );
    return granted ?? null;
  }

  /**
   * Puts jobs back that were given, but not started.
   *
   * @param where a condition on `lease`, such as `lease.session_id = $1`
   */
  async giveBack(where: string, parameters: readonly unknown[]): Promise<void> {
    // Rows are locked in the order job, lease.
    await sql(
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
