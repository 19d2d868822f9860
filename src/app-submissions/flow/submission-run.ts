import { databaseNow } from '../../common/database-clock.js';
import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import { causeOf } from '../releases/cause-of.js';
import type { ReleaseLook } from '../releases/release-look.js';
import type { StoreReleases } from '../releases/store-releases.service.js';
import type { StoreTurns } from './store-turns.service.js';
import type { StoreRefusal } from '../calls/refusals/refusal.js';
import { quoteOf } from '../calls/refusals/refused.js';
import type { StoreSession } from '../calls/store-session.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';

/** What flows write about their submission. */
export type SubmissionChanges = Partial<
  Pick<
    Submission,
    'state' | 'link' | 'storeMessage' | 'external' | 'sealedUpload' | 'sentBytes' | 'commitSentAt'
  >
>;

/** What runs use of the server. */
export interface RunTools {
  readonly progress: SubmissionProgress;
  readonly releases: StoreReleases;
  readonly turns: StoreTurns;
  /** As people know the store. */
  readonly storeName: string;
  /** How long a submission waits for others at most. */
  readonly waitHours: number;
  /** Since when the organization works again after a suspension; `null`: it was never suspended. */
  readonly resumedAt: () => Promise<Date | null>;
}

/** How a submission has ended that did what it was to do. */
export interface Done {
  readonly state: 'prepared' | 'failed_with_action_required';
  readonly message: string;
  /** Where a person continues. Absent or `null`: there is nothing to do. */
  readonly link?: string | null;
  /** Where the release is now: the one that it has made, or that it has changed. Absent: nothing is known. */
  readonly release?: ReleaseLook;
}

/** What has to happen elsewhere before a submission continues. */
export interface Wait {
  /** `waitsFor` of the row: those who wait for the same are woken together. */
  readonly key: string;
  readonly message: string;
  /** When to look again without being woken. */
  readonly afterSeconds: number;
}

/** The run is over: how the submission continues is written. Flows let it pass. */
export class RunOver extends Error {}

/** Those that wait for a turn look so often whether it is theirs, if they are not woken. Stores are not asked for that. */
const TURN_POLL_SECONDS = 30;
const HOUR_MS = 3_600_000;

/**
 * One run of a flow: a task of the queue, which does one step. A flow is called from its beginning in each run; `once` leaves
 * out what earlier runs have done. What returns `Promise<never>` ends the run. Everything that is written checks that the job
 * is still that of the run; where it is not, `WorkerRunLostError` ends the flow. See ADR 61.
 *
 * `State` is what the flow stores, `Step` the names of its steps.
 */
export class SubmissionRun<State extends object = object, Step extends string = string> {
  /** Adds lines to the log of the job. */
  readonly log: (...lines: readonly string[]) => Promise<void>;
  /** Writes what the store has given, before the next call. @param work is in the same transaction */
  readonly save: (changes: SubmissionChanges, work?: () => Promise<void>) => Promise<void>;
  /** For the transaction of `save`: others may have the turn. */
  readonly releaseTurn = (): Promise<void> => this.tools.turns.release(this.submission.id);
  private hasReached = false;

  constructor(
    /** As it was when the run began, with what the run has written since. */
    readonly submission: Submission,
    /** The calls of the store, which are recorded. */
    readonly session: StoreSession,
    private readonly worker: WorkerRun,
    private readonly tools: RunTools,
  ) {
    this.log = (...lines) => worker.log(...lines);
    this.save = async (changes, work) => {
      await worker.hold(async () => {
        await work?.();
        await tools.progress.write(submission.id, changes);
      });
      Object.assign(submission, changes);
    };
  }

  /** What the flow has stored: `external` of the row. */
  get state(): Readonly<Partial<State>> {
    return this.submission.external as Partial<State>;
  }

  /** Whether the flow has a step of the name that is stored. */
  get knowsStep(): boolean {
    return this.hasReached;
  }

  /** How often the step has failed since it last got on. */
  get attempts(): number {
    return this.submission.stepAttempts;
  }

  /** Whether the step begins for the first time: those that wait come to it again and again. */
  get isFirst(): boolean {
    return this.submission.waitsFor === null && this.attempts === 0;
  }

  /** The time, as the database has it. */
  now(): Date {
    return databaseNow();
  }

  /** A part of the state that an earlier step has stored. @throws Error when it is absent */
  reached<K extends keyof State>(name: K): NonNullable<State[K]> {
    const value = (this.state as Partial<State>)[name];
    if (value !== undefined && value !== null) return value as NonNullable<State[K]>;
    throw new Error(`The submission ${this.submission.id} has no ${String(name)} at this step.`);
  }

  /** Writes a part of the state, and what else is new. @param work is in the same transaction */
  keep(state: Partial<State>, changes: SubmissionChanges = {}, work?: () => Promise<void>): Promise<void> {
    return this.save({ ...changes, external: { ...this.submission.external, ...state } }, work);
  }

  /** Writes the state without some parts: what they were about is gone. @param work is in the same transaction */
  forget(
    names: readonly (keyof State & string)[],
    changes: SubmissionChanges = {},
    work?: () => Promise<void>,
  ): Promise<void> {
    const rest = Object.entries(this.submission.external).filter(
      ([name]) => !names.some((one) => one === name),
    );
    return this.save({ ...changes, external: Object.fromEntries(rest) }, work);
  }

  /**
   * Does a step that is stored as the present one, and leaves it out before. After the present step, the next one is stored,
   * and the run is over: another run does it, maybe that of an older server. A step is done again when it gives way or fails.
   *
   * During an update, servers of the previous release do not know a new step: they leave it to others, and go past it from the
   * step before. So one release learns a step, and the next one leads to it.
   *
   * @param step its name, `step` of the row
   * @param options.unless the step is not needed: the value when the flow reaches this line
   */
  async once(
    step: Step,
    work: () => Promise<void>,
    { unless = false }: { readonly unless?: boolean | undefined } = {},
  ): Promise<void> {
    if (step === this.submission.step) {
      this.hasReached = true;
      return work();
    }
    if (this.hasReached && !unless) await this.goOn(step);
  }

  /** Goes on with a step, which is not the next one in the order of the flow. */
  goOn(step: Step): Promise<never> {
    return this.runAgain(step, 0);
  }

  /** Goes on with the present step, which has got further, or for which the store works. The time limit of the job ends it. */
  giveWay(afterSeconds = 0): Promise<never> {
    return this.runAgain(this.submission.step, afterSeconds);
  }

  /** Begins a step again after a failure, which counts as an attempt. @param from absent: the present one */
  async tryAgain({
    from,
    afterSeconds,
  }: {
    readonly from?: Step;
    readonly afterSeconds: number;
  }): Promise<never> {
    await this.log(`Trying again in ${afterSeconds} ${afterSeconds === 1 ? 'second' : 'seconds'}.`);
    const step = from ?? this.submission.step;
    const publish = (): Promise<void> =>
      this.tools.progress.tryAgain(this.submission.id, step, this.attempts + 1);
    await this.worker.goOn({ afterSeconds, publish });
    throw new RunOver();
  }

  /** Leaves the worker until others have ended: the job is queued. A submission waits for some hours in all. */
  async wait({ key, message, afterSeconds }: Wait): Promise<never> {
    const { waitsFor, releaseId, message: said } = this.submission;
    if (await this.hasWaitedTooLong()) {
      const again = releaseId === null ? 'Submit again.' : 'Request the change again.';
      const limit = inHours(this.tools.waitHours);
      await this.worker.fail(`${message} It has waited for ${limit}, which is the limit. ${again}`);
      throw new RunOver();
    }
    if (waitsFor !== key || said !== message) await this.log(message);
    const publish = (): Promise<void> => this.tools.progress.wait(this.submission, key, message);
    await this.worker.goOn({ waits: true, afterSeconds, publish });
    throw new RunOver();
  }

  /** Waits until it could be the turn of the submission: see `StoreTurns.obstacle`. */
  async waitForTurn(key: string, rule: string): Promise<void> {
    const message = await this.tools.turns.obstacle(key, this.submission, rule);
    if (message !== null) await this.wait({ key, message, afterSeconds: TURN_POLL_SECONDS });
  }

  /** Takes the turn, or waits for it: see `StoreTurns.take`. */
  async takeTurn(key: string, rule: string): Promise<void> {
    const message = await this.worker.hold(() => this.tools.turns.take(key, this.submission, rule));
    if (message !== null) await this.wait({ key, message, afterSeconds: TURN_POLL_SECONDS });
  }

  /** Announces a call that cannot be undone: from here on, the job cannot be canceled, and its answer can be lost. */
  announceCommit(state: Partial<State> = {}): Promise<void> {
    return this.keep(state, { commitSentAt: this.now() });
  }

  /** The store has not done what was announced: the job can be canceled again. */
  takeBackCommit(): Promise<void> {
    return this.save({ commitSentAt: null });
  }

  /** Says in the log what the store has refused, before the flow goes on. */
  explain(refusal: StoreRefusal): Promise<void> {
    return this.log(refusal.message, ...quoteOf(this.tools.storeName, refusal));
  }

  /** As `explain`, with the words of the store alone. */
  async quote(refusal: StoreRefusal): Promise<void> {
    const lines = quoteOf(this.tools.storeName, refusal);
    if (lines.length > 0) await this.log(...lines);
  }

  /** Ends the submission. */
  async done({ state, message, link = null, release }: Done): Promise<never> {
    await this.worker.succeed(async () => {
      await this.tools.progress.write(this.submission.id, { state, message, link });
      if (release !== undefined) await this.record(release);
    });
    throw new RunOver();
  }

  /** Ends the submission: it has failed, and the store has said where the release is. @param message why, and what to do */
  async fail(message: string, release: ReleaseLook): Promise<never> {
    await this.worker.hold(async () => {
      await this.tools.progress.write(this.submission.id, { link: release.link });
      await this.record(release);
    });
    await this.worker.fail(message);
    throw new RunOver();
  }

  /** Ends the submission: it is refused permanently, or was tried often enough. */
  async refuse(refusal: StoreRefusal): Promise<void> {
    const { id, releaseId, appId } = this.submission;
    const { refusal: values, storeMessage, release } = refusal;
    await this.quote(refusal);
    await this.save({ link: values.link ?? null, storeMessage }, async () => {
      // A refused change has shown what is there.
      if (release !== null) await this.tools.releases.see({ id: releaseId ?? id, appId }, release);
    });
    await this.worker.fail(refusal.message);
  }

  private async runAgain(step: string, afterSeconds: number): Promise<never> {
    const publish = (): Promise<void> => this.tools.progress.goOn(this.submission.id, step);
    await this.worker.goOn({ afterSeconds, publish });
    throw new RunOver();
  }

  /** Where its release is: its own, or the one that it changes. */
  private async record(release: ReleaseLook): Promise<void> {
    const { id, releaseId, appId } = this.submission;
    await this.tools.releases.record({ id: releaseId ?? id, appId }, release, causeOf(this.submission));
  }

  /** What ends while its organization is suspended could not continue: that does not count. */
  private async hasWaitedTooLong(): Promise<boolean> {
    const { waitingSince } = this.submission;
    const limit = databaseNow(-this.tools.waitHours * HOUR_MS);
    if (waitingSince === null || waitingSince >= limit) return false;
    const resumedAt = await this.tools.resumedAt();
    return resumedAt === null || resumedAt <= limit;
  }
}

function inHours(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
