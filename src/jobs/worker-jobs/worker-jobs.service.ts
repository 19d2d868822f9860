import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import { JobMasks } from '../job-logs/job-masks.service.js';
import { JobEndings } from '../jobs/job-endings.service.js';
import type { Job, JobKindName, WorkerJobKind } from '../jobs/job.entity.js';
import { JobsQueries } from '../jobs/jobs.queries.js';
import { JobsService } from '../jobs/jobs.service.js';
import { WorkerRun } from './worker-run.js';
import { WorkerRunLostError } from './worker-run-lost.error.js';

/** How jobs of a kind are done that no runner executes. */
export interface WorkerJob {
  /** Its retries are the attempts at a job that a failure of the server ended. */
  readonly queue: QueueDefinition;
  /** The sentence for users when the queue has no attempts left. */
  readonly givenUp: string;
  /**
   * Does a job, which it ends with `succeed` or `fail`. It may have begun before: it checks what is left to do.
   *
   * @throws AppError of a status below 500: the job has failed with its message; all other errors: it is done again
   */
  readonly run: (run: WorkerRun) => Promise<void>;
}

interface QueueJob {
  readonly jobId: string;
}

const LOST = 'The server was stopped during the job. It begins again.';
const FAILED = 'The server has failed. The job begins again.';

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
    this.queue.handle<QueueJob>(
      work.queue,
      ({ jobId }) => this.execute(jobId, work),
      ({ jobId }) => this.giveUp(jobId, work.givenUp),
    );
  }

  /**
   * Lets a worker begin a queued job soon after the running transaction.
   *
   * @throws Error when its kind is not registered
   */
  request({ id, kind, organizationId }: Job): Promise<void> {
    const queue = this.queues.get(kind);
    if (queue === undefined) throw new Error(`No worker does jobs of the kind ${kind}.`);
    const data: QueueJob = { jobId: id };
    return this.queue.send(queue, organizationId, data);
  }

  /** @throws unknown what the queue is to try again */
  private async execute(jobId: string, work: WorkerJob): Promise<void> {
    const run = await this.begin(jobId);
    if (run === null) return;
    try {
      await this.attempt(run, work);
      if (!run.isOver) throw new Error(`The worker has left the job ${jobId} without an end.`);
    } catch (error) {
      if (error instanceof WorkerRunLostError) return;
      this.logger.warn({ err: error, jobId }, 'A job failed because of the server, and begins again');
      // Without the database, the next run takes the job over as it is.
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

  /** @returns `null`: the job has ended, or was deleted */
  private begin(jobId: string): Promise<WorkerRun | null> {
    return transaction(async () => {
      await this.queries.lock(jobId);
      const job = (await this.jobs.getMany([jobId])).get(jobId);
      const startedAt = await this.queries.startRun(jobId);
      if (job === undefined || startedAt === null) return null;
      // The queue repeats what was lost with its process; a run that is still there ends with its next step.
      if (job.status === 'in_progress') await this.logs.end(job, LOST);
      const { queries, endings, logs, masks } = this;
      return new WorkerRun(job, startedAt, { queries, endings, logs, masks });
    });
  }

  private async giveUp(jobId: string, reason: string): Promise<void> {
    const ending = { status: 'failed', statusMessage: reason, note: reason } as const;
    await this.endings.end(jobId, ['queued', 'in_progress'], ending);
  }
}
