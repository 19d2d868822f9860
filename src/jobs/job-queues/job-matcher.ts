import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { JOBS, ChangeSignals, type TopicListener } from '../../database/change-signals.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { BATCH, JobMatchingService, type MatchedClaim, type MatchingResult } from './job-matching.service.js';
import { JobQueuesQueries } from './job-queues.queries.js';
import { QueueMetrics } from './queue-metrics.js';
import { type WaitingClaim, WaitingClaims } from './waiting-claims.js';

/** How long it rests unless it is notified, in milliseconds. */
const REST = 10_000;
/** The same while other replicas hold the queues. */
const SHORT_REST = 500;

/**
 * Finds jobs for all claims that wait at this replica: after a notification, for new claims where jobs may be waiting, and
 * every ten seconds. Claims do not ask the database themselves.
 */
@Injectable()
export class JobMatcher extends BackgroundLoop implements OnModuleInit, TopicListener {
  /** Organizations of which nothing was queued when it was asked last, and nothing was announced since. */
  private readonly idle = new Set<string>();
  /** The same of all organizations together. */
  private isAllIdle = false;
  /** Notifications since the start, to notice those that arrive during a look. */
  private signals = 0;
  /** Notifications do not arrive: nothing is known to be idle. */
  private isCutOff = true;
  /** After a failure, claims may have jobs without knowing. */
  private isUncertain = false;

  constructor(
    private readonly claims: WaitingClaims,
    private readonly matching: JobMatchingService,
    private readonly queries: JobQueuesQueries,
    private readonly leases: JobLeasesQueries,
    private readonly topics: ChangeSignals,
    private readonly metrics: QueueMetrics,
  ) {
    super();
  }

  onModuleInit(): void {
    this.topics.listen(JOBS, this);
  }

  /** Lets a claim wait. It is settled as soon as there is a job for it. */
  add(claim: WaitingClaim): void {
    this.claims.add(claim);
    const { organizationId } = claim;
    const isIdle = this.isAllIdle || (organizationId !== null && this.idle.has(organizationId));
    if (!isIdle) this.wake();
  }

  connected(): void {
    this.isCutOff = false;
    this.forgetIdle();
    this.wake();
  }

  lost(): void {
    this.isCutOff = true;
    this.forgetIdle();
  }

  notified(organizationId: string): void {
    this.signals++;
    this.isAllIdle = false;
    this.idle.delete(organizationId);
    if (this.claims.size > 0) this.wake();
  }

  private forgetIdle(): void {
    this.signals++;
    this.isAllIdle = false;
    this.idle.clear();
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    try {
      while (!stopping.aborted) {
        const claims = this.claims.present();
        if (claims.length === 0) return REST;
        if (this.isUncertain) await this.findGranted(claims);
        const organizationIds = await this.organizationsWithJobs(claims);
        if (organizationIds.length === 0) return REST;
        const first = await this.match(organizationIds, claims, false);
        if (first.matched.length >= BATCH) continue;
        if (first.skipped.length === 0) return REST;
        if (first.matched.length > 0) continue;
        const second = await this.match(first.skipped, this.claims.present(), true);
        if (second.skipped.length > 0) return SHORT_REST;
        if (second.matched.length < BATCH) return REST;
      }
      return REST;
    } catch (error) {
      // A commit may have arrived although its response was lost.
      this.isUncertain = true;
      throw error;
    }
  }

  /** Notes where nothing is queued, so that new claims need not ask. */
  private async organizationsWithJobs(claims: readonly WaitingClaim[]): Promise<string[]> {
    const before = this.signals;
    const ids = claims.map(({ organizationId }) => organizationId);
    const asked = ids.includes(null) ? null : [...new Set(ids as string[])];
    const found = await this.queries.organizationsWithJobs(asked);
    if (this.signals === before && !this.isCutOff) {
      this.isAllIdle = asked === null && found.length === 0;
      for (const id of asked ?? []) this.idle.add(id);
      for (const id of found) this.idle.delete(id);
    }
    return found;
  }

  private async match(
    organizationIds: readonly string[],
    claims: readonly WaitingClaim[],
    wait: boolean,
  ): Promise<MatchingResult> {
    const begin = performance.now();
    const result = await this.matching.match(organizationIds, claims, wait);
    this.metrics.observeMatching((performance.now() - begin) / 1000);
    for (const claim of result.ended) claim.settle('ended');
    await this.deliver(result.matched);
    return result;
  }

  /** Wakes the claims. Jobs of clients that left during the commit go back immediately. */
  private async deliver(matched: readonly MatchedClaim[]): Promise<void> {
    const lost = matched.filter(({ claim, job }) => {
      this.claims.remove(claim);
      this.metrics.observeQueued(job.queueSeconds);
      return !claim.settle(job);
    });
    for (const { job } of lost) await this.giveBack(job.leaseId, job.expiresAt);
  }

  /** Unless the runner has claimed it again in the meantime, which renews the lease. */
  private async giveBack(leaseId: string, expiresAt: Date): Promise<void> {
    this.logger.debug({ leaseId }, 'A runner disconnected before it received its job');
    await this.leases.giveBack('lease.id = $1 AND lease.expires_at = $2', [leaseId, expiresAt]);
  }

  private async findGranted(claims: readonly WaitingClaim[]): Promise<void> {
    const found = await this.leases.granted(
      claims.map(({ runnerId, sessionId, claimId }) => ({ runnerId, sessionId, claimId })),
    );
    this.isUncertain = false;
    const matched = found.flatMap((job) => {
      const claim = claims.find(
        ({ runnerId, claimId }) => runnerId === job.runnerId && claimId === job.claimId,
      );
      return claim === undefined ? [] : [{ claim, job }];
    });
    await this.deliver(matched);
  }
}
