import { Injectable, Logger } from '@nestjs/common';
import type { PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { BackgroundTask } from '../common/background/background-task.js';
import { DatabaseUnavailableError } from '../common/errors/database-unavailable.error.js';
import { outageLog } from '../common/errors/outage-log.js';
import { Config } from '../config/config.js';
import { afterCommit, isInTransaction, outsideTransaction } from '../database/transactions/transaction.js';
import { translateUnavailable } from '../database/outages/unavailable.js';
import { createBoss, inRunningTransaction } from './pg-boss.js';

/** How long a shutdown waits for running jobs, in milliseconds. Those that are not done by then are tried again elsewhere. */
const STOP_TIMEOUT = 10_000;

/** A kind of job: its name, and how failures are retried. All times in seconds. */
export interface QueueDefinition {
  readonly name: string;
  readonly retryLimit: number;
  /** The wait before the first retry; each further one is up to twice as long. */
  readonly retryDelay: number;
  /** The longest wait. */
  readonly retryDelayMax: number;
  /** A job that runs longer is considered lost with its process and tried again. */
  readonly expireInSeconds: number;
  /** A due job that no server takes for this long is deleted; by default two weeks. */
  readonly retentionSeconds?: number;
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
  /** Other tasks go on when it fails. */
  readonly run: () => Promise<unknown>;
}

interface Handler {
  readonly queue: QueueDefinition & {
    /** Where jobs go that have failed for the last time. */
    readonly deadLetter?: string;
  };
  /** When jobs are due, in UTC; `null`: when they are sent. */
  readonly cron: string | null;
  readonly handle: (data: object) => Promise<unknown>;
}

/**
 * Runs jobs after requests, at least once each. A job is a row of the database, written in the transaction of the change
 * that it belongs to; one of all replicas takes it.
 */
@Injectable()
export class QueueService extends BackgroundTask {
  private readonly logger = new Logger(QueueService.name);
  private readonly handlers: Handler[] = [];
  private readonly workers = new Map<string, string>();
  private boss: PgBoss | null = null;
  /** Number of attempts at jobs in this process since its start, by queue. */
  readonly outcomes = new Map<string, { done: number; failed: number }>();

  constructor(
    private readonly database: DataSource,
    private readonly config: Config,
  ) {
    super();
  }

  /**
   * Registers the handler of a queue, before `start`. A job that throws is tried again.
   *
   * @param giveUp called, as another job, after a job has failed for the last time, or its process was lost then
   */
  handle<T extends object>(
    queue: QueueDefinition,
    handle: (data: T) => Promise<void>,
    giveUp?: (data: T) => Promise<void>,
  ): void {
    const register = (of: Handler['queue'], work: (data: T) => Promise<void>): void => {
      this.handlers.push({ queue: of, cron: null, handle: work as Handler['handle'] });
    };
    if (giveUp === undefined) return register(queue, handle);
    const deadLetter = `${queue.name}-given-up`;
    // First, because the other queue refers to it.
    register({ ...queue, name: deadLetter }, giveUp);
    register({ ...queue, deadLetter }, handle);
  }

  /**
   * Registers a task that one of all replicas runs on a schedule, before `start`. Runs that were due while no server was up
   * are skipped, so the task must find out itself what there is to do.
   */
  schedule({ name, cron, timeoutSeconds, retryLimit = 3, run }: ScheduledTask): void {
    const queue = { name, retryLimit, retryDelay: 60, retryDelayMax: 600, expireInSeconds: timeoutSeconds };
    this.handlers.push({ queue, cron, handle: run });
  }

  /** Starts to take jobs. Before that, `send` throws. */
  override async start(): Promise<void> {
    const boss = createBoss(this.database, true);
    boss.on('error', (error) => {
      const err = translateUnavailable(error);
      if (err instanceof DatabaseUnavailableError) outageLog.add(err, 'Queue');
      else this.logger.error({ err }, 'The queue failed');
    });
    boss.on('warning', ({ message }) => this.logger.warn(`Queue: ${message}`));
    this.boss = await boss.start();
    for (const { queue, cron, handle } of this.handlers) {
      const { name, ...options } = queue;
      await boss.createQueue(name, { ...options, retryBackoff: true });
      await boss.updateQueue(name, { ...options, retryBackoff: true });
      const outcomes = { done: 0, failed: 0 };
      this.outcomes.set(name, outcomes);
      // Jobs that this process sends wake the worker at once.
      const polling = { pollingIntervalSeconds: this.config.queue.pollSeconds };
      const worker = await boss.work<object>(name, polling, async ([job]) => {
        if (job === undefined) return;
        // There may be another job, which should not wait for the next poll.
        this.wake(name);
        try {
          await outsideTransaction(() => handle(job.data));
          outcomes.done++;
        } catch (error) {
          outcomes.failed++;
          throw error;
        }
      });
      this.workers.set(name, worker);
      if (cron !== null) await boss.schedule(name, cron);
    }
  }

  /**
   * Adds a job to the running transaction: it exists if and only if that is committed.
   *
   * @param startAfter earliest start, by the clock of the database; default: at once
   * @throws Error outside of transactions, and before `start`
   */
  async send(
    { name }: QueueDefinition,
    data: object,
    { startAfter }: { startAfter?: Date } = {},
  ): Promise<void> {
    if (this.boss === null) throw new Error('The queue has not been started.');
    if (!isInTransaction()) throw new Error('A job is sent inside a transaction.');
    const db = await inRunningTransaction(this.database);
    await this.boss.send(name, data, { db, ...(startAfter ? { startAfter } : {}) });
    if (startAfter === undefined) afterCommit(() => this.wake(name));
  }

  private wake(name: string): void {
    const worker = this.workers.get(name);
    if (worker !== undefined) this.boss?.notifyWorker(worker);
  }

  /** Takes no more jobs, and waits for those that are running. */
  override async stop(): Promise<void> {
    await this.boss?.stop({ timeout: STOP_TIMEOUT });
  }
}
