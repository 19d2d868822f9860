import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { notSuspended } from '../../organizations/organizations/suspensions.js';
import { FOR_RUNNERS } from '../jobs/job.entity.js';
import type { RunnerAbilities } from './abilities.js';
import type { QueuedJob } from './assign.js';
import type { GrantedJob } from '../job-leases/job-leases.queries.js';

/** How long jobs of automations let those of people pass, as an interval of PostgreSQL. */
const AUTOMATIONS_YIELD = '10 minutes';
/** How long to wait for the queue of an organization that another replica serves, in milliseconds. */
const LOCK_TIMEOUT = 1000;

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
  /** Organizations of one account take one turn together. Those of the operator have their own. */
  readonly account: string;
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

/** The statements that give jobs to runners. */
@Injectable()
export class JobQueuesQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /**
   * Of these organizations, those with jobs that runners may take, without suspended ones.
   *
   * @param organizationIds `null`: of all
   */
  async organizationsWithJobs(organizationIds: readonly string[] | null): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT DISTINCT organization_id AS id FROM jobs
        WHERE status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held AND ${notSuspended('organization_id')}
          AND ($1::uuid[] IS NULL OR organization_id = ANY($1))`,
      [organizationIds],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the queues of organizations until the transaction ends. What others did under these locks is visible to the
   * next statement.
   *
   * @param wait whether to wait a moment for rows that others have locked; otherwise they are left out
   * @returns the one whose account was served least recently first, then the one that was itself
   */
  async lock(organizationIds: readonly string[], wait: boolean): Promise<LockedQueue[]> {
    if (wait) await this.sql.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    await this.sql.execute(
      `INSERT INTO job_queues (organization_id)
       SELECT id FROM organizations WHERE id = ANY($1)
          AND NOT EXISTS (SELECT FROM job_queues AS queue WHERE queue.organization_id = organizations.id)
       ON CONFLICT DO NOTHING`,
      [organizationIds],
    );
    // Those who wait take the locks in one order, so that they never wait for each other.
    const order = wait ? 'organization_id' : 'last_served_at NULLS FIRST, organization_id';
    const rows = await this.sql.query<
      LockedQueue & { readonly lastServedAt: Date | null; readonly accountServedAt: Date | null }
    >(
      `SELECT organization_id AS "organizationId", running_limit AS "runningLimit", last_served_at AS "lastServedAt",
              (SELECT coalesce(account_id, id) FROM organizations WHERE id = organization_id) AS account,
              (SELECT max(other.last_served_at)
                 FROM organizations AS own JOIN organizations AS sibling USING (account_id)
                 JOIN job_queues AS other ON other.organization_id = sibling.id
                WHERE own.id = job_queues.organization_id) AS "accountServedAt"
         FROM job_queues WHERE organization_id = ANY($1) ORDER BY ${order} FOR NO KEY UPDATE ${wait ? '' : 'SKIP LOCKED'}`,
      [organizationIds],
    );
    const servedAt = (row: (typeof rows)[number]): number => Number(row.accountServedAt ?? row.lastServedAt);
    return rows.toSorted(
      (a, b) => servedAt(a) - servedAt(b) || Number(a.lastServedAt) - Number(b.lastServedAt),
    );
  }

  /** The sessions that are still those of valid runners, with what these can do. */
  sessions(sessionIds: readonly string[]): Promise<ReadySession[]> {
    return this.sql.query<ReadySession>(
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
    return this.sql.query<RunningCount>(
      `SELECT organization_id AS "organizationId", app_id AS "appId", count(*)::int AS running
         FROM jobs WHERE status IN ('pending', 'in_progress') AND ${FOR_RUNNERS} AND organization_id = ANY($1)
        GROUP BY 1, 2`,
      [organizationIds],
    );
  }

  /** The apps with queued jobs, the one that was served least recently first. */
  apps(organizationIds: readonly string[]): Promise<CandidateApp[]> {
    return this.sql.query<CandidateApp>(
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
    return this.sql.query<QueuedJob>(
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
    const rows = await this.sql.query<{ id: string }>(
      `SELECT id FROM jobs WHERE id = ANY($1) AND status = 'queued' AND ${FOR_RUNNERS} AND NOT is_held
          FOR NO KEY UPDATE SKIP LOCKED`,
      [jobIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Notes who was served, the last one latest. */
  async noteServed(granted: readonly GrantedJob[]): Promise<void> {
    const rows = granted.map(({ organizationId, appId }, place) => ({ organizationId, appId, place }));
    await this.sql.execute(
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
}
