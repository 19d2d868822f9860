/** Lease of the servers under simulation, in seconds: the shortest there is. */
export const LEASE_SECONDS = 3;

/** Readings of the clock: two for each command. */
const REMEMBERED_CLOCKS = 6;

/** A job and its lease as the database has them. Times are milliseconds by the clock of the database. */
export interface JobRow extends Record<string, unknown> {
  readonly id: string;
  readonly appId: string;
  readonly status: string;
  readonly statusMessage: string | null;
  readonly attempts: number;
  readonly timeoutSeconds: number;
  readonly finishedLeaseId: string | null;
  readonly queuedAt: number;
  readonly pendingAt: number | null;
  readonly inProgressAt: number | null;
  readonly finishedAt: number | null;
  readonly leaseId: string | null;
  readonly sessionId: string | null;
  readonly grantedAt: number;
  readonly expiresAt: number;
  readonly loggedAt: number;
  readonly logBytes: number;
}

/** All jobs of the organization at one moment. */
export interface Snapshot {
  readonly clock: number;
  readonly jobs: ReadonlyMap<string, JobRow>;
}

/** What was asked and acknowledged about a job. */
export interface KnownJob {
  readonly id: string;
  isCancelAsked: boolean;
  isCanceled: boolean;
  /** The end that a runner got acknowledged. */
  end: { readonly leaseId: string; readonly status: string } | null;
}

/** A job as a runner got it. It stays here when the runner has lost it: late requests must fail. */
export interface Hold {
  readonly leaseId: string;
  readonly jobId: string;
  readonly token: string;
  readonly attempt: number;
  readonly claimId: string;
  readonly runner: SimulatedRunner;
  readonly sessionId: string;
  isStarted: boolean;
  /** The runner has ended its session, or opened another one: what it has not started goes back. */
  isSessionOver: boolean;
  /** Lines that are acknowledged. */
  lines: number;
  readonly endsAsked: Set<string>;
}

/** A runner whose process the simulation plays. */
export interface SimulatedRunner {
  readonly id: string;
  readonly token: string;
  readonly slots: number;
  sessionId: string;
  /** Its session was ended, so claims are refused. */
  isEnded: boolean;
}

/** Limits of running jobs; 0: any number. */
export interface Limits {
  readonly organization: number;
  readonly apps: readonly number[];
}

/** What the simulation knows: what servers have acknowledged, and what it has seen. */
export class JobModel {
  /** @param appIds the apps of the organization */
  constructor(readonly appIds: readonly string[]) {}

  readonly jobs = new Map<string, KnownJob>();
  readonly holds: Hold[] = [];
  /** Builds whose creation was acknowledged. */
  created = 0;
  /** Keys of builds that were requested without getting an answer, with the number of the app. */
  readonly unknownCreates: { readonly key: string; readonly app: number }[] = [];
  limits: Limits = { organization: 0, apps: [0, 0] };
  /** Those before the command that runs. */
  formerLimits: Limits = this.limits;
  last: Snapshot = { clock: 0, jobs: new Map() };
  /** What the clock of the database has shown lately. */
  private clocks: number[] = [];

  /** Notes what the clock shows. */
  addClock(clock: number): void {
    this.clocks = [...this.clocks, clock].slice(-REMEMBERED_CLOCKS);
  }

  /** The latest that the clock has shown lately: a server may have decided by it, and commit after a jump back. */
  get latestClock(): number {
    return Math.max(...this.clocks);
  }

  /** The holds of a job, the first one first. */
  holdsOf(jobId: string): Hold[] {
    return this.holds.filter((hold) => hold.jobId === jobId);
  }

  /** Whether another runner has got the job since. */
  isSuperseded(hold: Hold): boolean {
    return this.holdsOf(hold.jobId).at(-1) !== hold;
  }

  /** Whether the lease was there when the jobs were read last. */
  hasLease({ jobId, leaseId }: Hold): boolean {
    return this.last.jobs.get(jobId)?.leaseId === leaseId;
  }

  /** Notes that there is a job. Harmless to repeat. */
  addJob(id: string): void {
    if (!this.jobs.has(id)) this.jobs.set(id, { id, isCancelAsked: false, isCanceled: false, end: null });
  }

  job(id: string): KnownJob {
    const job = this.jobs.get(id);
    if (job === undefined) throw new Error(`A job is not known: ${id}`);
    return job;
  }

  /** Notes an acknowledged change as if it had been read. */
  change(jobId: string, values: Partial<JobRow>): void {
    const row = this.last.jobs.get(jobId);
    if (row === undefined) return;
    this.last = {
      ...this.last,
      jobs: new Map([...this.last.jobs, [jobId, { ...row, ...values } as JobRow]]),
    };
  }

  /** How many of so many claims of a runner must get a job now. */
  claimable(runner: SimulatedRunner, claims: number): number {
    if (runner.isEnded) return 0;
    const rows = [...this.last.jobs.values()];
    const isRunning = (row: JobRow): boolean => row.leaseId !== null;
    const free = (limit: number, running: number): number =>
      limit === 0 ? Infinity : Math.max(0, limit - running);
    const slots = runner.slots - rows.filter(({ sessionId }) => sessionId === runner.sessionId).length;
    const queued = this.appIds.map((appId, index) => {
      const ofApp = rows.filter((row) => row.appId === appId);
      return Math.min(
        ofApp.filter(({ status }) => status === 'queued').length,
        free(this.limits.apps[index] ?? 0, ofApp.filter(isRunning).length),
      );
    });
    return Math.min(
      claims,
      slots,
      free(this.limits.organization, rows.filter(isRunning).length),
      queued.reduce((sum, count) => sum + count, 0),
    );
  }
}
