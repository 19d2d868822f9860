import { cleanShortText } from '../../common/secrets/clean-lines.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { JobLogWriter } from '../job-logs/job-log-writer.service.js';
import type { JobMasks } from '../job-logs/job-masks.service.js';
import type { JobEnding } from './job-ending.js';
import type { JobEndings } from './job-endings.service.js';
import type { Job } from './job.entity.js';
import type { JobsQueries, RunId, SteppedJob } from './jobs.queries.js';
import { WorkerRunLostError } from './worker-run-lost.error.js';

/** What runs do to jobs. */
export interface RunTools {
  readonly queries: JobsQueries;
  readonly endings: JobEndings;
  readonly logs: JobLogWriter;
  readonly masks: JobMasks;
  /** Lets a worker begin a step, in so many seconds, in the running transaction. */
  readonly plan: (job: SteppedJob, afterSeconds: number) => Promise<void>;
}

/** How a job continues. */
export interface NextStep {
  /** Seconds until the next step begins. @default 0 */
  readonly afterSeconds?: number;
  /** The job is `queued` until then, because it waits for others; its time limit begins again afterwards. */
  readonly waits?: boolean;
  /** Writes what the step has done, in the same transaction. */
  readonly publish?: () => Promise<void>;
}

/** One attempt of a worker at a job. Every write checks that the job is still its own. */
export class WorkerRun {
  private hasEnded = false;

  constructor(
    readonly job: Job,
    private readonly id: RunId,
    private readonly tools: RunTools,
  ) {}

  /** Whether the run has ended its job, put it back, or planned the next step. */
  get isOver(): boolean {
    return this.hasEnded;
  }

  /**
   * Does work in a transaction, in which the job stays its own. Nothing may wait in it.
   *
   * @throws WorkerRunLostError
   */
  hold<R>(work: () => Promise<R>): Promise<R> {
    return transaction(async () => {
      const isHeld = await this.tools.queries.lockRun(this.job.id, this.id);
      if (!isHeld) throw new WorkerRunLostError(this.job.id);
      return work();
    });
  }

  /** Adds lines to the log, masked. Begins a step: a run whose job was canceled ends here. @throws WorkerRunLostError */
  log(...lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${oneLine(line)}\n`).join(''));
    return this.hold(() => this.tools.logs.append(this.job, bytes));
  }

  /**
   * Ends the job as `succeeded`.
   *
   * @param publish writes what it has made, in the same transaction
   * @throws WorkerRunLostError then nothing is written
   */
  succeed(publish: () => Promise<void>): Promise<void> {
    return this.end({ status: 'succeeded' }, publish);
  }

  /** Ends the job as `failed`. @param reason one sentence, which is the last line of the log, too */
  async fail(reason: string): Promise<void> {
    const message = cleanShortText(oneLine(reason), await this.tools.masks.of(this.job));
    await this.end({ status: 'failed', statusMessage: message, note: message });
  }

  /** Puts the job back, for another run. @param reason a line of the log */
  async putBack(reason: string): Promise<void> {
    await this.hold(async () => {
      await this.tools.queries.putBack(this.job.id);
      await this.tools.logs.end(this.job, reason);
    });
    this.hasEnded = true;
  }

  /** Ends the run, and plans the next step of the job. @throws WorkerRunLostError then nothing is written or planned */
  async goOn({ afterSeconds = 0, waits = false, publish }: NextStep = {}): Promise<void> {
    await this.hold(async () => {
      await publish?.();
      if (waits) await this.tools.queries.putBack(this.job.id);
      const next = await this.tools.queries.nextStep(this.job.id, ['queued', 'in_progress']);
      if (next !== null) await this.tools.plan(next, afterSeconds);
    });
    this.hasEnded = true;
  }

  private async end(
    ending: JobEnding,
    publish: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await this.hold(async () => {
      await publish();
      await this.tools.endings.end(this.job.id, ['in_progress'], ending);
    });
    this.hasEnded = true;
  }
}

/** What was read from files of users can hold line ends and control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{C}+/gu, ' ').trim();
}
