import { Injectable, Logger } from '@nestjs/common';
import type { Db, Job, JobInsert, PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { BackgroundTask } from '../common/background/background-task.js';
import { Accounts } from '../common/background/accounts.js';
import { type LimitedQueue, limitsOfQueue } from '../common/background/shared-capacity.js';
import { databaseNow } from '../common/database-clock.js';
import { DatabaseUnavailableError } from '../common/errors/database-unavailable.error.js';
import { outageLog } from '../common/errors/outage-log.js';
import { Config } from '../config/config.js';
import {
  afterCommit,
  isInTransaction,
  outsideTransaction,
  transaction,
} from '../database/transactions/transaction.js';
import { translateUnavailable } from '../database/outages/unavailable.js';
import {
  countWaits,
  createBoss,
  doOthersWait,
  inRunningTransaction,
  nextTurn,
  queuesWithDueJobs,
  removeWaiting,
} from './pg-boss.js';
import { SuspensionsQueries } from './suspensions.queries.js';

/** How long a shutdown waits for running jobs, in milliseconds. Those that are not done by then are tried again elsewhere. */
const STOP_TIMEOUT = 10_000;

/** How often a job was found waiting, once a minute, when its log says so, and when it ends. */
const NOTED_AFTER = 2;
const ENDED_AFTER = 61;

/** A kind of job: its name, and how failures are retried. All times in seconds. */
export interface QueueDefinition {
  /** Of the table `queueLimits`, which has how many of its jobs are done at once. */
  readonly name: LimitedQueue;
  readonly retryLimit: number;
  /** The wait before the first retry; each further one is up to twice as long. */
  readonly retryDelay: number;
  /** The longest wait. */
  readonly retryDelayMax: number;
  /** A job that runs longer is considered lost with its process and tried again. */
  readonly expireInSeconds: number;
  /** A due job that no server takes for this long is deleted; by default two weeks. */
  readonly retentionSeconds?: number;
  /** A job that is done, or has failed for the last time, is deleted after this; by default a week. */
  readonly deleteAfterSeconds?: number;
  /** A server that has done a job without a sign of life for this long is considered lost; by default `expireInSeconds`. */
  readonly heartbeatSeconds?: number;
  /** Whether jobs of suspended organizations are done, too; by default they wait. */
  readonly runsWhenSuspended?: boolean;
}

/** What happens to a job besides the work. */
export interface QueueOptions<T extends object> {
  /** Called, as another job, after a job has failed for the last time, or its process was lost then. */
  readonly giveUp?: (data: T) => Promise<void>;
  /** Called when a job is due and has not begun for a minute. By default, jobs wait until it is their turn. */
  readonly noteWait?: (data: T) => Promise<void>;
  /** Called, with `noteWait`, when it has waited for an hour. The job is gone. */
  readonly endWait?: (data: T) => Promise<void>;
}

/** What the servers do again and again. `docs/operations.md` lists all. */
export interface ScheduledTask {
  /** Of its queue, also in metrics. */
  readonly name: string;
  /** Minute, hour, day of the month, month and day of the week, in UTC. */
  readonly cron: string;
  /** A run that takes longer is considered lost with its process, and another one may begin beside it. */
  readonly timeoutSeconds: number;
  /** How often a run that fails is repeated, after a minute and more; by default three times. */
  readonly retryLimit?: number;
  /** Other tasks continue when it fails. */
  readonly run: () => Promise<unknown>;
}

interface Handler {
  readonly queue: Omit<QueueDefinition, 'name' | 'runsWhenSuspended'> & {
    readonly name: string;
    /** Where jobs go that have failed for the last time. */
    readonly deadLetter?: string;
  };
  readonly atOnce: number;
  /** `null`: the jobs belong to no account. */
  readonly perAccount: number | null;
  readonly runsWhenSuspended: boolean;
  /** When jobs are due, in UTC; `null`: when they are sent. */
  readonly cron: string | null;
  readonly handle: (data: object) => Promise<unknown>;
}

/** Takes one job after the other. */
interface Worker {
  readonly id: string;
  isBusy: boolean;
}

/** Three workers poll for jobs this often, in seconds, and more of them less often. Usually they are woken. */
const OWN_POLL_SECONDS = 60;
/** Seconds until a job of a suspended organization is looked at again. */
const SUSPENDED_WAIT = 300;
/** Milliseconds that the clock of the database may be behind what this process knows of it. */
const CLOCK_TOLERANCE = 20;

/**
 * Runs jobs after requests, at least once each. A job is a row of the database, written in the transaction of the change
 * that it belongs to; one of all replicas takes it.
 */
@Injectable()
export class QueueService extends BackgroundTask {
  private readonly logger = new Logger(QueueService.name);
  private readonly handlers: Handler[] = [];
  /** By queue. */
  private readonly workers = new Map<string, Worker[]>();
  private poll: NodeJS.Timeout | undefined;
  private isPolling = false;
  private boss: PgBoss | null = null;
  /** Whether it takes no more jobs: those that are running should end soon. Requests have ended before. */
  isStopping = false;
  private readonly waits = new Map<string, QueueOptions<object>>();
  /** Number of attempts at jobs in this process since its start, by queue. */
  readonly outcomes = new Map<string, { done: number; failed: number }>();

  constructor(
    private readonly database: DataSource,
    private readonly config: Config,
    private readonly accounts: Accounts,
    private readonly suspensions: SuspensionsQueries,
  ) {
    super();
    this.schedule({ name: 'queue-waits', cron: '* * * * *', timeoutSeconds: 60, run: () => this.endWaits() });
  }

  /** Registers the handler of a queue, before `start`. A job that throws is tried again. */
  handle<T extends object>(
    queue: QueueDefinition,
    handle: (data: T) => Promise<void>,
    options: QueueOptions<T> = {},
  ): void {
    const { atOnce, perAccount } = limitsOfQueue(queue.name, options.endWait !== undefined);
    const { runsWhenSuspended = false, ...retries } = queue;
    const register = (of: Handler['queue'], work: (data: T) => Promise<void>): void => {
      const handler = { queue: of, atOnce, perAccount, runsWhenSuspended, cron: null };
      this.handlers.push({ ...handler, handle: work as Handler['handle'] });
    };
    if (options.endWait !== undefined) this.waits.set(queue.name, options as QueueOptions<object>);
    const { giveUp } = options;
    if (giveUp === undefined) return register(retries, handle);
    const deadLetter = `${queue.name}-given-up`;
    // First, because the other queue refers to it. Its jobs keep their accounts.
    register({ ...retries, name: deadLetter }, giveUp);
    register({ ...retries, deadLetter }, handle);
  }

  /**
   * Registers a task that one of all replicas runs on a schedule, before `start`. Runs that were due while no server was up
   * are skipped, so the task must find out itself what there is to do.
   */
  schedule({ name, cron, timeoutSeconds, retryLimit = 3, run }: ScheduledTask): void {
    const queue = { name, retryLimit, retryDelay: 60, retryDelayMax: 600, expireInSeconds: timeoutSeconds };
    this.handlers.push({ queue, atOnce: 1, perAccount: null, runsWhenSuspended: true, cron, handle: run });
  }

  /** Starts to take jobs. Before that, `send` throws. */
  override async start(): Promise<void> {
    const boss = createBoss(this.database, true);
    boss.on('error', (error) => this.report(error));
    boss.on('warning', ({ message }) => this.logger.warn(`Queue: ${message}`));
    this.boss = await boss.start();
    for (const handler of this.handlers) {
      const { name, ...options } = handler.queue;
      await boss.createQueue(name, { ...options, retryBackoff: true });
      await boss.updateQueue(name, { ...options, retryBackoff: true });
      this.outcomes.set(name, { done: 0, failed: 0 });
      const workers: Worker[] = [];
      this.workers.set(name, workers);
      while (workers.length < handler.atOnce) workers.push(await this.startWorker(boss, handler));
      if (handler.cron !== null) await boss.schedule(name, handler.cron);
    }
    this.poll = setInterval(() => void this.wakeDue(), this.config.queue.pollSeconds * 1000).unref();
  }

  private async startWorker(
    boss: PgBoss,
    { queue, atOnce, perAccount, runsWhenSuspended, handle }: Handler,
  ): Promise<Worker> {
    const { name } = queue;
    const options = {
      pollingIntervalSeconds: OWN_POLL_SECONDS * Math.max(1, Math.ceil(atOnce / 3)),
      ...(perAccount !== null && { groupConcurrency: perAccount }),
    };
    const worker = { id: '', isBusy: false };
    worker.id = await boss.work<object>(name, options, async ([job]) => {
      if (job === undefined) return;
      worker.isBusy = true;
      // There may be another job, for another worker now or for this one afterwards.
      this.wake(name);
      boss.notifyWorker(worker.id);
      const outcome = await outsideTransaction(async () => {
        if (!runsWhenSuspended && (await this.putOff(name, job))) return;
        await handle(job.data);
      }).then(
        () => 'done' as const,
        (error: unknown) => ({ error }),
      );
      worker.isBusy = false;
      const outcomes = this.outcomes.get(name);
      if (outcomes !== undefined) outcomes[outcome === 'done' ? 'done' : 'failed']++;
      if (outcome !== 'done') throw outcome.error;
    });
    return worker;
  }

  /** Lets the job of a suspended organization wait, as another job: it loses no attempt. @returns whether it waits */
  private async putOff(name: string, { groupId, groupTier, data }: Job<object>): Promise<boolean> {
    // Jobs of earlier versions have no tier.
    const tenantId = groupTier ?? groupId;
    if (tenantId == null || !(await this.suspensions.isSuspended(tenantId))) return false;
    await transaction(() =>
      this.send({ name }, tenantId, data, { startAfter: databaseNow(SUSPENDED_WAIT * 1000) }),
    );
    return true;
  }

  /**
   * Adds a job to the running transaction: it exists if and only if that is committed.
   *
   * @param tenantId whose work it is: the id of an organization, or of a user where there is none. Accounts take turns
   * @param startAfter earliest start, by the clock of the database; default: immediately
   * @throws Error outside of transactions, and before `start`
   * @throws DatabaseUnavailableError
   */
  async send(
    { name }: { readonly name: string },
    tenantId: string,
    data: object,
    { startAfter }: { startAfter?: Date } = {},
  ): Promise<void> {
    const { boss, db } = await this.joinTransaction();
    try {
      const account = await this.accounts.of(tenantId);
      await boss.send(name, data, {
        db,
        group: { id: account, tier: tenantId },
        priority: -(await nextTurn(db, { name, account, organization: tenantId })),
        ...(startAfter ? { startAfter } : {}),
      });
    } catch (error) {
      throw translateUnavailable(error);
    }
    afterCommit(() => this.wakeAt(name, startAfter));
  }

  /** Adds jobs that are due immediately. @throws as `send` */
  async sendAll(
    { name }: QueueDefinition,
    jobs: readonly { readonly tenantId: string; readonly data: object }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    const { boss, db } = await this.joinTransaction();
    try {
      const rows: JobInsert[] = [];
      for (const [tenantId, own] of Map.groupBy(jobs, (job) => job.tenantId)) {
        const account = await this.accounts.of(tenantId);
        const turn = await nextTurn(db, { name, account, organization: tenantId });
        const group = { id: account, tier: tenantId };
        rows.push(...own.map(({ data }, index) => ({ data, group, priority: -turn - index })));
      }
      await boss.insert(name, rows, { db });
    } catch (error) {
      throw translateUnavailable(error);
    }
    afterCommit(() => this.wake(name));
  }

  /** Whether jobs of other accounts than that of a tenant are due, and have not begun. */
  async othersWait({ name }: QueueDefinition, tenantId: string): Promise<boolean> {
    return doOthersWait(this.database, name, await this.accounts.of(tenantId));
  }

  private async joinTransaction(): Promise<{ boss: PgBoss; db: Db }> {
    const { boss } = this;
    if (boss === null) throw new Error('The queue has not been started.');
    if (!isInTransaction()) throw new Error('A job is sent inside a transaction.');
    return { boss, db: await inRunningTransaction(this.database) };
  }

  /** Jobs that are due soon do not wait for the next poll. */
  private wakeAt(name: string, time: Date | undefined): void {
    if (time === undefined) return this.wake(name);
    // Not before the job is due.
    const delay = Math.max(0, time.getTime() - databaseNow().getTime()) + CLOCK_TOLERANCE;
    if (delay <= this.config.queue.pollSeconds * 1000) setTimeout(() => this.wake(name), delay).unref();
  }

  /** Lets a worker look for a job. Those that are busy do so afterwards. */
  private wake(name: string): void {
    const idle = this.workers.get(name)?.find(({ isBusy }) => !isBusy);
    if (idle !== undefined) this.boss?.notifyWorker(idle.id);
  }

  /** Lets workers look for jobs that another process has sent, or whose time has come. */
  private async wakeDue(): Promise<void> {
    // A database that is slow or away is asked again only after it has answered.
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      for (const name of await queuesWithDueJobs(this.database)) this.wake(name);
    } catch (error) {
      this.report(error);
    } finally {
      this.isPolling = false;
    }
  }

  /**
   * Ends the wait of jobs that get no turn. It counts minutes in which it has run, not times: a clock that jumps ends
   * nothing.
   */
  private async endWaits(): Promise<void> {
    const waiting = await countWaits(this.database, [...this.waits.keys()], NOTED_AFTER);
    for (const { id, name, data, minutes } of waiting) {
      if (minutes > NOTED_AFTER && minutes < ENDED_AFTER) continue;
      const { noteWait, endWait } = this.waits.get(name) ?? {};
      const end = async (): Promise<void> => {
        if (await removeWaiting(await inRunningTransaction(this.database), id)) await endWait?.(data);
      };
      // One that fails is tried again a minute later, and holds up no other one.
      const outcome = minutes === NOTED_AFTER ? noteWait?.(data) : transaction(end);
      await outcome?.catch((error: unknown) => this.report(error));
    }
  }

  private report(error: unknown): void {
    const err = translateUnavailable(error);
    if (err instanceof DatabaseUnavailableError) outageLog.add(err, 'Queue');
    else this.logger.error({ err }, 'The queue failed');
  }

  /** Takes no more jobs, and waits for those that are running. */
  override async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.poll);
    await this.boss?.stop({ timeout: STOP_TIMEOUT });
  }
}
