import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { ChangeSignals, JOBS } from '../../database/change-signals.js';
import type { JobEnding } from '../jobs/job-ending.js';
import { JobEndings } from '../jobs/job-endings.service.js';
import { type DueLease, JobExpiryQueries } from './job-expiry.queries.js';

/** Longest time between two rounds, in seconds. */
const ROUNDS_EVERY = 10;

/**
 * Takes jobs back whose runner does not report, and ends those that run too long or say nothing, by the clock of the
 * database, and those of suspended organizations. Jobs without a runner have no lease; they end when they time out.
 * After the start of the process, and after the database was away, it waits a whole lease: runners could not report in
 * the meantime.
 */
@Injectable()
export class JobExpiry extends BackgroundLoop {
  private readonly leaseMilliseconds: number;
  /** Not before this time of `performance.now()`. */
  private notBefore = 0;

  constructor(
    private readonly queries: JobExpiryQueries,
    private readonly endings: JobEndings,
    private readonly config: Config,
    signals: ChangeSignals,
  ) {
    super();
    this.leaseMilliseconds = config.jobs.leaseSeconds * 1000;
    signals.listen(JOBS, {
      connected: () => this.wait(),
      lost: () => this.wait(),
      notified: () => undefined,
    });
  }

  override start(): Promise<void> {
    this.wait();
    return super.start();
  }

  private wait(): void {
    this.notBefore = performance.now() + this.leaseMilliseconds;
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    const rest = Math.min(ROUNDS_EVERY, this.config.jobs.leaseSeconds / 6) * 1000;
    if (performance.now() < this.notBefore) return rest;
    try {
      for (const lease of await this.queries.dueLeases()) {
        if (stopping.aborted || performance.now() < this.notBefore) break;
        await this.attempt(lease.jobId, () => this.handle(lease));
      }
      for (const { jobId, timeoutSeconds } of await this.queries.overdueJobs()) {
        if (stopping.aborted) break;
        await this.attempt(jobId, () => this.endings.end(jobId, ['in_progress'], timedOut(timeoutSeconds)));
      }
    } catch (err) {
      this.wait();
      this.logger.warn({ err }, 'Could not check for lost runners and for jobs that run too long');
    }
    return rest;
  }

  /** One job that cannot be ended must not keep the others. */
  private async attempt(jobId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (err) {
      if (err instanceof DatabaseUnavailableError) throw err;
      this.logger.error({ err, jobId }, 'Could not end or requeue a job');
    }
  }

  private async handle({ id, jobId, reason, timeoutSeconds }: DueLease): Promise<void> {
    if (reason === 'suspended') {
      // One that has not started is as before it was claimed.
      const status = await this.endings.takeBack(id, ['pending'], false);
      if (status === null) await this.endings.endOfLease(id, SUSPENDED);
      return;
    }
    if (reason === 'expired') {
      const status = await this.endings.takeBack(id, ['pending', 'in_progress'], true);
      if (status !== null) this.logger.warn({ jobId, status }, 'A runner stopped reporting about its job');
      return;
    }
    if (reason === 'stuck') {
      const status = await this.endings.takeBack(id, ['pending'], false);
      if (status !== null) this.logger.warn({ jobId, status }, 'A runner did not start its job in time');
      return;
    }
    await this.endings.endOfLease(
      id,
      reason === 'timeout' ? timedOut(timeoutSeconds) : silent(this.config.jobs.idleSeconds),
    );
  }
}

const SUSPENSION = 'The organization is suspended.';
const SUSPENDED: JobEnding = { status: 'failed', statusMessage: SUSPENSION, note: SUSPENSION };

function timedOut(seconds: number): JobEnding {
  return ending(`The job has run for longer than ${inWords(seconds)}.`);
}

function silent(seconds: number): JobEnding {
  return ending(`The job has written nothing to its log for ${inWords(seconds)}.`);
}

function ending(message: string): JobEnding {
  return { status: 'timed_out', statusMessage: message, note: message };
}

function inWords(seconds: number): string {
  if (seconds % 60 !== 0) return `${seconds} seconds`;
  const minutes = seconds / 60;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
