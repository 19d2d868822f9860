import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { afterCommit, transaction } from '../../database/transactions/transaction.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { StoreTurnsQueries } from './store-turns.queries.js';

/** How many submissions continue at once when what they wait for is there; others notice at their next look. */
const WOKEN_AT_ONCE = 20;

/** What submissions to one track wait for. */
export function trackKey(packageName: string, track: string): string {
  return `track ${packageName} ${track}`;
}

/** What submissions of one account for one package wait for. Only its hash is kept: the account is a secret. */
export function editKey(accountEmail: string, packageName: string): string {
  return createHash('sha256').update(`${accountEmail.toLowerCase()} ${packageName}`).digest('hex');
}

/** What submissions of one build number of an app wait for. @param version without leading zeros and zeros at the end */
export function uploadKey(
  appleAppId: string,
  platform: string,
  version: string,
  buildNumber: string,
): string {
  const parts = ['apple', appleAppId, platform, version, buildNumber];
  return createHash('sha256').update(parts.join(' ')).digest('hex');
}

/** What submissions for the review of an app on one platform wait for. */
export function reviewKey(appleAppId: string, platform: string): string {
  return createHash('sha256').update(`apple review ${appleAppId} ${platform}`).digest('hex');
}

/** Whose turn it is where a store takes one submission at a time, and who waits for that, in their order. */
@Injectable()
export class StoreTurns {
  private readonly logger = new Logger(StoreTurns.name);

  constructor(
    private readonly queries: StoreTurnsQueries,
    private readonly workers: WorkerJobs,
  ) {}

  /**
   * Why it is not the turn of a submission: one sentence, which names submissions of other apps only as such.
   *
   * @param rule of the store, such as `Google Play takes one edit at a time.`
   * @returns `null`: it is, or could be
   */
  async obstacle(key: string, { id, appId }: Submission, rule: string): Promise<string | null> {
    if (await this.queries.isReserved(key))
      return `Waits until the build numbers of the app are read: ${rule}`;
    const other = await this.queries.inFrontOf(key, id);
    if (other === null) return null;
    const who = other.appId === appId ? `the deployment ${other.deploymentId}` : 'another submission';
    return `Waits for ${who}: ${rule}`;
  }

  /**
   * Gives the turn to a submission, in the running transaction. Only after the store has accepted its key: anybody can
   * upload a file that names the account of others.
   *
   * @returns `null`: it has it; otherwise as `obstacle`
   */
  async take(key: string, submission: Submission, rule: string): Promise<string | null> {
    await this.queries.serialize(key);
    const obstacle = await this.obstacle(key, submission, rule);
    if (obstacle === null) await this.queries.insert(key, submission.id);
    return obstacle;
  }

  /** Gives the turn back, in the running transaction. The one that has waited longest continues. */
  async release(submissionId: string): Promise<void> {
    const key = await this.queries.delete(submissionId);
    if (key !== null) this.wakeNext(key);
  }

  /**
   * Takes the turn for something that only reads, in the running transaction. Only after the store has accepted its key, as
   * `take`. It does not wait for submissions that wait: it takes seconds.
   *
   * @param seconds until others may have the turn, if this process is gone by then
   * @returns for `endReservation`; `null`: the turn is taken
   */
  async reserve(key: string, seconds: number): Promise<Date | null> {
    await this.queries.serialize(key);
    return this.queries.reserve(key, seconds);
  }

  /** Gives a reserved turn back, in the running transaction. The one that has waited longest continues. */
  async endReservation(key: string, until: Date): Promise<void> {
    await this.queries.deleteReservation(key, until);
    this.wakeNext(key);
  }

  /** Lets those continue that wait for a track, after the running transaction. */
  wakeTrack(packageName: string, track: string): void {
    this.wake(trackKey(packageName, track), WOKEN_AT_ONCE);
  }

  /** Lets the one continue that has waited longest, after the running transaction. */
  wakeNext(waitsFor: string): void {
    this.wake(waitsFor, 1);
  }

  /** In a separate transaction, because it locks the jobs of others. Those that it misses look again later. */
  private wake(waitsFor: string, limit: number): void {
    afterCommit(() => {
      this.wakeNow(waitsFor, limit).catch((err: unknown) =>
        this.logger.warn({ err }, 'Waiting submissions were not woken, and go on later'),
      );
    });
  }

  private async wakeNow(waitsFor: string, limit: number): Promise<void> {
    for (const jobId of await this.queries.waitingJobs(waitsFor, limit)) {
      await transaction(() => this.workers.wake(jobId));
    }
  }
}
