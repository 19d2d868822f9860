import { Injectable, Logger } from '@nestjs/common';
import { NO_TURN, WAITS_FOR_TURN } from '../../common/background/shared-capacity.js';
import { databaseNow } from '../../common/database-clock.js';
import { AppError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import { JobMasks } from '../job-logs/job-masks.service.js';
import { JobEndings } from './job-endings.service.js';
import type { Job, JobKindName, WorkerJobKind } from './job.entity.js';
import { JobsQueries, type SteppedJob } from './jobs.queries.js';
import { JobsService } from './jobs.service.js';
import { type RunTools, WorkerRun } from './worker-run.js';
import { WorkerRunLostError } from './worker-run-lost.error.js';

/** How jobs of a kind are done that no runner executes. */
export interface WorkerJob {
  /** Its retries are the attempts at a job that a failure of the server ended. */
  readonly queue: QueueDefinition;
  /** The sentence for users when the queue has no attempts left. */
  readonly givenUp: string;
  /**
   * Does a job, which it ends with `succeed` or `fail`, or a step of it, which it ends with `goOn`. It may have begun before:
   * it checks what is left to do.
   *
   * @throws AppError of a status below 500: the job has failed with its message; all other errors: it is done again
   */
  readonly run: (run: WorkerRun) => Promise<void>;
}

interface QueueJob {
  readonly jobId: string;
  /** Jobs from before there were steps have none. */
  readonly step?: number;
}

const LOST = 'The server was stopped. What it was doing is repeated.';
const FAILED = 'The server has failed. What it was doing is repeated.';

/** Does jobs that no runner executes, in the queue: each by one worker at a time, until it has ended once. See ADR 49. */
@Injectable()
export class WorkerJobs {
  private readonly logger = new Logger(WorkerJobs.name);
  private readonly queues = new Map<JobKindName, QueueDefinition>();

  constructor(
    private readonly jobs: JobsService,
    private readonly queries: JobsQueries,
    private readonly endings: JobEndings,
    private readonly logs: JobLogWriter,
    private readonly masks: JobMasks,
    private readonly queue: QueueService,
  ) {}

  /** Before any job of the kind is requested, in `onModuleInit`. */
  register(kind: WorkerJobKind, work: WorkerJob): void {
    this.queues.set(kind, work.queue);
    this.queue.handle<QueueJob>(work.queue, ({ jobId, step = 0 }) => this.execute(jobId, step, work), {
      giveUp: ({ jobId, step = 0 }) => this.giveUp(jobId, step, work.givenUp),
      noteWait: ({ jobId, step = 0 }) => this.noteWait(jobId, step),
      endWait: ({ jobId, step = 0 }) => this.giveUp(jobId, step, NO_TURN),
    });
  }

  /**
   * Lets a worker begin a queued job soon after the running transaction.
   *
   * @throws Error when its kind is not registered
   */
  request(job: Job): Promise<void> {
    return this.plan(job, 0);
  }

  /** Lets a job that waits continue immediately, in the running transaction. Does nothing to one that does not wait. */
  async wake(jobId: string): Promise<void> {
    const job = await this.queries.nextStep(jobId, ['queued']);
    if (job !== null) await this.plan(job, 0);
  }

  private plan({ id, kind, organizationId, step }: SteppedJob, afterSeconds: number): Promise<void> {
    const queue = this.queues.get(kind);
    if (queue === undefined) throw new Error(`No worker does jobs of the kind ${kind}.`);
    const data: QueueJob = { jobId: id, step };
    if (afterSeconds === 0) return this.queue.send(queue, organizationId, data);
    const startAfter = new Date(databaseNow().getTime() + afterSeconds * 1000);
    return this.queue.send(queue, organizationId, data, { startAfter });
  }

  /** @throws unknown what the queue is to try again */
  private async execute(jobId: string, step: number, work: WorkerJob): Promise<void> {
    const run = await this.begin(jobId, step);
    if (run === null) return;
    try {
      await this.attempt(run, work);
      if (!run.isOver) throw new Error(`The worker has left the job ${jobId} without an end.`);
    } catch (error) {
      if (error instanceof WorkerRunLostError) return;
      this.logger.warn({ err: error, jobId }, 'A job failed because of the server, and begins again');
      // Without the database, the next run continues the job in its present state.
      await run.putBack(FAILED).catch(() => undefined);
      throw error;
    }
  }

  private async attempt(run: WorkerRun, { run: work }: WorkerJob): Promise<void> {
    try {
      await work(run);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await run.fail(error.message);
    }
  }

  /** @returns `null`: the job has ended, is at another step, or was deleted */
  private begin(jobId: string, step: number): Promise<WorkerRun | null> {
    return transaction(async () => {
      await this.queries.lock(jobId);
      const job = (await this.jobs.getMany([jobId])).get(jobId);
      const runs = await this.queries.startRun(jobId, step);
      if (job === undefined || runs === null) return null;
      // The queue repeats what was lost with its process; a run that is still there ends with its next write.
      if (job.status === 'in_progress' && runs > 1) await this.logs.end(job, LOST);
      const { queries, endings, logs, masks } = this;
      const plan: RunTools['plan'] = (next, afterSeconds) => this.plan(next, afterSeconds);
      return new WorkerRun(job, { step, runs }, { queries, endings, logs, masks, plan });
    });
  }

  private noteWait(jobId: string, step: number): Promise<void> {
    return transaction(async () => {
      await this.queries.lock(jobId);
      const job = (await this.jobs.getMany([jobId])).get(jobId);
      const isActive = job?.status === 'queued' || job?.status === 'in_progress';
      if (isActive && job.step === step) await this.logs.end(job, WAITS_FOR_TURN);
    });
  }

  /** The queue has no attempts left at a step, or the step got no turn. */
  private giveUp(jobId: string, step: number, reason: string): Promise<void> {
    const ending = { status: 'failed', statusMessage: reason, note: reason } as const;
    return transaction(async () => {
      await this.queries.lock(jobId);
      const job = (await this.jobs.getMany([jobId])).get(jobId);
      if (job?.step === step) await this.endings.end(jobId, ['queued', 'in_progress'], ending);
    });
  }
}
