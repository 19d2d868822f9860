import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Config } from '../../config/config.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type GrantedJob, JobLeasesQueries, type NewLease } from '../job-leases/job-leases.queries.js';
import { LeaseTokens } from '../job-leases/lease-token.js';
import { type Assignment, assign, type OrganizationQueue, type WaitingRunner } from './assign.js';
import {
  JobQueuesQueries,
  type LockedQueue,
  type ReadySession,
  type RunnerClass,
} from './job-queues.queries.js';
import type { WaitingClaim } from './waiting-claims.js';

/** Jobs that one transaction gives away at most. */
export const BATCH = 100;
/** SQLSTATE: the lock was waited for too long. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A claim and the job that it gets. */
export interface MatchedClaim {
  readonly claim: WaitingClaim;
  readonly job: GrantedJob;
}

/** What a transaction has done. */
export interface MatchingResult {
  readonly matched: readonly MatchedClaim[];
  /** Claims of sessions that are no longer those of their runners. */
  readonly ended: readonly WaitingClaim[];
  /** Organizations whose queues another replica serves. */
  readonly skipped: readonly string[];
}

type ClaimingRunner = WaitingRunner & { readonly claim: WaitingClaim };

const NOTHING: MatchingResult = { matched: [], ended: [], skipped: [] };

/** Gives queued jobs to waiting claims, in one transaction. */
@Injectable()
export class JobMatchingService {
  constructor(
    private readonly queries: JobQueuesQueries,
    private readonly leases: JobLeasesQueries,
    private readonly tokens: LeaseTokens,
    private readonly config: Config,
  ) {}

  /**
   * Matches the jobs of organizations, whose queues it locks while it does so.
   *
   * @param claims the one that waits longest first
   * @param wait whether to wait a moment for queues that another replica serves; otherwise they are skipped
   */
  async match(
    organizationIds: readonly string[],
    claims: readonly WaitingClaim[],
    wait: boolean,
  ): Promise<MatchingResult> {
    try {
      return await transaction(async () => {
        const locked = await this.queries.lock(organizationIds, wait);
        const skipped = organizationIds.filter(
          (id) => !locked.some(({ organizationId }) => organizationId === id),
        );
        if (locked.length === 0) return { ...NOTHING, skipped };
        return { ...(await this.matchLocked(locked, claims)), skipped };
      });
    } catch (error) {
      if (!wait || postgresErrorOf(error).code !== LOCK_NOT_AVAILABLE) throw error;
      return { ...NOTHING, skipped: organizationIds };
    }
  }

  private async matchLocked(
    locked: readonly LockedQueue[],
    claims: readonly WaitingClaim[],
  ): Promise<Omit<MatchingResult, 'skipped'>> {
    const sessions = await this.queries.sessions([...new Set(claims.map(({ sessionId }) => sessionId))]);
    const byId = new Map(sessions.map((session) => [session.sessionId, session]));
    const ended = claims.filter(({ sessionId }) => !byId.has(sessionId));
    const runners = readyRunners(claims, byId);
    if (runners.length === 0) return { matched: [], ended };
    const queues = await this.load(locked, classesOf(runners));
    // Those who have left since the beginning get nothing.
    const present = runners.filter(({ claim }) => !claim.gone.aborted);
    return { matched: await this.grant(assign(queues, present, BATCH)), ended };
  }

  private async load(
    locked: readonly LockedQueue[],
    classes: readonly RunnerClass[],
  ): Promise<OrganizationQueue[]> {
    const ids = locked.map(({ organizationId }) => organizationId);
    const apps = await this.queries.apps(ids);
    const jobs = await this.queries.jobs(apps, classes);
    const counts = await this.queries.running(ids);
    const running = (ofQueue: (count: (typeof counts)[number]) => boolean): number =>
      counts.filter(ofQueue).reduce((sum, count) => sum + count.running, 0);
    return locked.map(({ organizationId, account, runningLimit }) => ({
      organizationId,
      account,
      free:
        limitOf(runningLimit ?? this.config.runners.runningJobsPerOrganization) -
        running((count) => count.organizationId === organizationId),
      apps: apps
        .filter((app) => app.organizationId === organizationId)
        .map((app) => ({
          appId: app.appId,
          free: limitOf(app.runningLimit ?? 0) - running((count) => count.appId === app.appId),
          jobs: jobs.filter((job) => job.appId === app.appId),
        })),
    }));
  }

  private async grant(assignments: readonly Assignment<ClaimingRunner>[]): Promise<MatchedClaim[]> {
    if (assignments.length === 0) return [];
    const lockedJobs = await this.queries.lockJobs(assignments.map(({ job }) => job.id));
    const claims = new Map<string, WaitingClaim>();
    const leases: NewLease[] = [];
    for (const { job, runner } of assignments) {
      if (!lockedJobs.has(job.id)) continue;
      const { runnerId, sessionId, claimId } = runner.claim;
      const id = uuid();
      const { hash } = this.tokens.make({ leaseId: id, jobId: job.id });
      leases.push({ id, jobId: job.id, runnerId, sessionId, claimId, hash });
      claims.set(id, runner.claim);
    }
    if (leases.length === 0) return [];
    const granted = await this.leases.grant(leases, this.config.jobs.leaseSeconds);
    await this.queries.noteServed(granted);
    return granted.flatMap((job) => {
      const claim = claims.get(job.leaseId);
      return claim === undefined ? [] : [{ claim, job }];
    });
  }
}

function limitOf(limit: number): number {
  return limit === 0 ? Infinity : limit;
}

/** The claims of sessions that can take jobs, no more of each than it has slots. */
function readyRunners(
  claims: readonly WaitingClaim[],
  sessions: ReadonlyMap<string, ReadySession>,
): ClaimingRunner[] {
  const taken = new Map<string, number>();
  return claims.flatMap((claim) => {
    const session = sessions.get(claim.sessionId);
    const used = taken.get(claim.sessionId) ?? 0;
    if (session === undefined || session.isPaused || used >= session.free) return [];
    taken.set(claim.sessionId, used + 1);
    const { organizationId, appIds, platforms, stacks, labels } = session;
    return [{ claim, organizationId, appIds, platforms, stacks, labels, free: claim.free }];
  });
}

/** Runners that can do the same, together. */
function classesOf(runners: readonly ClaimingRunner[]): RunnerClass[] {
  const classes = new Map<string, RunnerClass>();
  for (const { organizationId, appIds, platforms, stacks, labels } of runners) {
    const abilities = { organizationId, appIds, platforms, stacks, labels };
    const key = JSON.stringify([
      organizationId,
      appIds,
      platforms.toSorted(),
      stacks.toSorted(),
      labels.toSorted(),
    ]);
    const count = Math.min((classes.get(key)?.count ?? 0) + 1, BATCH);
    classes.set(key, { ...abilities, count });
  }
  return [...classes.values()];
}
