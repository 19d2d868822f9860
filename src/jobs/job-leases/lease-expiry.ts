import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { Notifications, JOBS } from '../../database/notifications.js';
import { sql } from '../../database/sql.js';
import { JobEndings, type JobEnding } from '../jobs/job-endings.service.js';

/** Longest time between two looks for leases that have expired, in seconds. */
const LOOKS_EVERY = 10;
/** Leases that one look takes back. */
const BATCH = 200;

/** A runner that was given a job must start it within this many lengths of a lease. */
const START_WITHIN = 10;
/**
 * The runner itself ends a job whose time is over. This many lengths of a lease later, the server does: a runner that was
 * cut off, or that uploads what it has built, needs some time.
 */
const TIMEOUT_GRACE = 15;

interface DueLease {
  readonly id: string;
  readonly jobId: string;
  readonly reason: 'expired' | 'stuck' | 'timeout' | 'idle';
  readonly timeoutSeconds: number;
}

/**
 * Takes jobs back whose runner does not report, and ends those that run too long or say nothing, by the clock of the
 * database. After the start of the process, and after the database was away, it waits a whole lease: runners could not
 * report in the meantime.
 */
@Injectable()
export class LeaseExpiry extends BackgroundLoop {
  private readonly leaseMilliseconds: number;
  /** Not before this time of `performance.now()`. */
  private notBefore = 0;

  constructor(
    private readonly endings: JobEndings,
    private readonly config: Config,
    notifications: Notifications,
  ) {
    super();
    this.leaseMilliseconds = config.jobs.leaseSeconds * 1000;
    notifications.listen(JOBS, {
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
    const rest = Math.min(LOOKS_EVERY, this.config.jobs.leaseSeconds / 6) * 1000;
    if (performance.now() < this.notBefore) return rest;
    try {
      for (const lease of await this.findDue()) {
        if (stopping.aborted || performance.now() < this.notBefore) break;
        await this.tryToHandle(lease);
      }
    } catch (err) {
      this.wait();
      this.logger.warn({ err }, 'Jobs of lost runners could not be found');
    }
    return rest;
  }

  /** A runner ends its job itself when the time is over; this is for one that does not. */
  private findDue(): Promise<DueLease[]> {
    const { idleSeconds, leaseSeconds } = this.config.jobs;
    return sql<DueLease>(
      `SELECT * FROM (
         SELECT lease.id, job.id AS "jobId", job.timeout_seconds AS "timeoutSeconds", lease.expires_at,
                CASE WHEN lease.expires_at < now() THEN 'expired'
                     WHEN job.status = 'pending' AND lease.granted_at < now() - make_interval(secs => $2) THEN 'stuck'
                     WHEN job.in_progress_at < now() - make_interval(secs => job.timeout_seconds + $3) THEN 'timeout'
                     WHEN job.status = 'in_progress' AND lease.logged_at < now() - make_interval(secs => $1) THEN 'idle'
                END AS reason
           FROM job_leases AS lease JOIN jobs AS job ON job.id = lease.job_id) AS due
        WHERE reason IS NOT NULL ORDER BY expires_at LIMIT ${BATCH}`,
      [idleSeconds + leaseSeconds, START_WITHIN * leaseSeconds, TIMEOUT_GRACE * leaseSeconds],
    );
  }

  /** One job that cannot be ended must not keep the others. */
  private async tryToHandle(lease: DueLease): Promise<void> {
    try {
      await this.handle(lease);
    } catch (err) {
      if (err instanceof DatabaseUnavailableError) throw err;
      this.logger.error({ err, jobId: lease.jobId }, 'A lost job could not be taken back');
    }
  }

  private async handle({ id, jobId, reason, timeoutSeconds }: DueLease): Promise<void> {
    if (reason === 'expired') {
      const status = await this.endings.takeBack(id, ['pending', 'in_progress'], true);
      if (status !== null) this.logger.warn({ jobId, status }, 'A runner was lost');
      return;
    }
    if (reason === 'stuck') {
      await this.endings.takeBack(id, ['pending'], false);
      return;
    }
    const message =
      reason === 'timeout'
        ? `The job has run for longer than ${inWords(timeoutSeconds)}.`
        : `The job has written nothing to its log for ${inWords(this.config.jobs.idleSeconds)}.`;
    const ending: JobEnding = { status: 'timed_out', statusMessage: message, note: message };
    await this.endings.endOfLease(id, ending);
  }
}

function inWords(seconds: number): string {
  if (seconds % 60 !== 0) return `${seconds} seconds`;
  const minutes = seconds / 60;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
