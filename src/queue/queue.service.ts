import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { afterCommit, isInTransaction, outsideTransaction } from '../database/transaction.js';
import { createBoss, inRunningTransaction } from './pg-boss.js';

/** Milliseconds for which a shutdown waits for jobs under way. What is not done by then is tried again elsewhere. */
const STOP_TIMEOUT = 10_000;

/** A kind of work: its name, and what happens when it fails. All times in seconds. */
export interface QueueDefinition {
  readonly name: string;
  /** How often it is tried again. */
  readonly retryLimit: number;
  /** The first wait; each further one is up to twice as long. */
  readonly retryDelay: number;
  /** The longest wait. */
  readonly retryDelayMax: number;
  /** After which a job whose process is gone is tried again. */
  readonly expireInSeconds: number;
  /** After which a job that nobody has taken since its time is forgotten; by default two weeks. */
  readonly retentionSeconds?: number;
}

interface Work {
  readonly queue: QueueDefinition;
  /** When jobs are due, in UTC; `null`: when they are sent. */
  readonly cron: string | null;
  readonly handle: (data: object) => Promise<void>;
}

/**
 * Work that happens after a request, at least once: jobs are rows of the database, written in the transaction of what
 * they belong to, and each is taken by one of all replicas.
 */
@Injectable()
export class QueueService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueService.name);
  private readonly works: Work[] = [];
  private readonly workers = new Map<string, string>();
  private boss: PgBoss | null = null;
  /** How attempts at jobs ended here since the start, by queue. */
  readonly outcomes = new Map<string, { done: number; failed: number }>();

  constructor(
    private readonly database: DataSource,
    private readonly config: Config,
  ) {}

  /** Says what is to be done with the jobs of a queue; before `start`. A job that throws is tried again. */
  handle<T extends object>(queue: QueueDefinition, handle: (data: T) => Promise<void>): void {
    this.works.push({ queue, cron: null, handle: handle as Work['handle'] });
  }

  /**
   * Says what is to be done again and again, each time by one of all replicas; before `start`. A time that nobody was
   * there for is left out, so the work must find out itself what there is to do.
   *
   * @param cron minute, hour, day of the month, month and day of the week, in UTC
   */
  handleEvery(queue: QueueDefinition, cron: string, handle: () => Promise<void>): void {
    this.works.push({ queue, cron, handle });
  }

  /** Begins to work. Until then nothing can be sent. */
  async start(): Promise<void> {
    const boss = createBoss(this.database, true);
    boss.on('error', (err) => this.logger.error({ err }, 'The queue failed'));
    boss.on('warning', ({ message }) => this.logger.warn(`Queue: ${message}`));
    this.boss = await boss.start();
    for (const { queue, cron, handle } of this.works) {
      const { name, ...options } = queue;
      await boss.createQueue(name, { ...options, retryBackoff: true });
      await boss.updateQueue(name, { ...options, retryBackoff: true });
      const outcomes = { done: 0, failed: 0 };
      this.outcomes.set(name, outcomes);
      // What this process sends is seen at once.
      const polling = { pollingIntervalSeconds: this.config.queue.pollSeconds };
      const worker = await boss.work<object>(name, polling, async ([job]) => {
        if (job === undefined) return;
        // There may be another one, which shall not wait for the next look.
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
   * Writes a job that exists if and only if the running transaction is committed.
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

  /** Takes no more jobs, and waits for those that are under way. The database is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ timeout: STOP_TIMEOUT });
  }
}
