import { Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { Config } from '../../config/config.js';
import { JobKinds } from '../../jobs/job-kinds/job-kinds.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import type { QueueDefinition } from '../../queue/queue.service.js';
import { causeOf } from '../store-releases/cause-of.js';
import type { ReleaseLook } from '../store-releases/release-look.js';
import { StoreReleases } from '../store-releases/store-releases.service.js';
import { StoreCalls } from '../stores/store-calls/store-calls.service.js';
import { refusalOfError } from '../stores/refusals/retry-delay.js';
import { quoteOf } from '../stores/refusals/refused.js';
import type { StepResult, Store, StepContext, SubmissionChanges } from '../stores/store.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { StoreSession } from '../stores/store-calls/store-session.js';
import { SubmissionEndings } from './submission-endings.service.js';
import { SubmissionStores } from './submission-stores.js';

/** What one run of a job gives to a step. Everything that it writes checks that the job is still its own. */
class RunContext implements StepContext {
  /** Without `this`, so that steps can take them apart. */
  readonly log: StepContext['log'];
  readonly save: StepContext['save'];

  constructor(
    readonly submission: Submission,
    readonly session: StoreSession,
    run: WorkerRun,
    progress: SubmissionProgress,
  ) {
    this.log = (...lines) => run.log(...lines);
    this.save = async (changes: SubmissionChanges, work) => {
      await run.hold(async () => {
        await work?.();
        await progress.write(submission.id, changes);
      });
      Object.assign(submission, changes);
    };
  }
}

const QUEUE: QueueDefinition = {
  name: 'submissions',
  retryLimit: 8,
  retryDelay: 2,
  retryDelayMax: 60,
  // Above the longest step: a part of an upload to Apple, of whatever size Apple wants, takes an hour at most.
  expireInSeconds: 75 * 60,
  // A process that was killed is noticed after that.
  heartbeatSeconds: 60,
};

/** The reason for users when the queue has no attempts left at a step. */
const GIVEN_UP =
  'The server has failed several times. Look in the store, then submit the build or request the change again.';

const SECONDS_PER_HOUR = 3600;

/** The job of a submission: does one step after the other of what its store needs. See ADR 52. */
@Injectable()
export class SubmissionJob implements OnModuleInit {
  constructor(
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly calls: StoreCalls,
    private readonly endings: SubmissionEndings,
    private readonly releases: StoreReleases,
    private readonly kinds: JobKinds,
    private readonly workers: WorkerJobs,
    private readonly organizations: OrganizationsService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.kinds.register('submission', this.endings);
    this.workers.register('submission', { queue: QUEUE, givenUp: GIVEN_UP, run: (run) => this.run(run) });
  }

  private async run(run: WorkerRun): Promise<void> {
    const submission = await this.progress.findByJob(run.job.id);
    if (submission === null) return run.fail('The deployment was deleted.');
    const session = this.calls.of({
      organizationId: run.job.organizationId,
      submissionId: submission.id,
    });
    const context = new RunContext(submission, session, run, this.progress);
    const store = this.stores.of(submission.type);
    let result: StepResult;
    try {
      result = await attempt(store, context);
    } catch (error) {
      const refusal = refusalOfError(error);
      if (refusal === null) throw error;
      const lines = quoteOf(store.name, refusal);
      if (lines.length > 0) await run.log(...lines);
      const { refusal: values, storeMessage, release } = refusal;
      await context.save({ link: values.link ?? null, storeMessage }, async () => {
        const { id, releaseId, appId } = submission;
        // A refused change has shown what is there.
        if (release !== null) await this.releases.see({ id: releaseId ?? id, appId }, release);
      });
      return run.fail(refusal.message);
    }
    await this.goOn(run, submission, result);
  }

  private async goOn(run: WorkerRun, submission: Submission, result: StepResult): Promise<void> {
    const { id, step, stepAttempts } = submission;
    switch (result.kind) {
      case 'next':
      case 'on':
        return run.goOn({
          afterSeconds: result.afterSeconds ?? 0,
          publish: () => this.progress.goOn(id, result.kind === 'next' ? result.step : step),
        });
      case 'again': {
        const { afterSeconds } = result;
        await run.log(`Trying again in ${afterSeconds} ${afterSeconds === 1 ? 'second' : 'seconds'}.`);
        return run.goOn({
          afterSeconds,
          publish: () => this.progress.tryAgain(id, result.step ?? step, stepAttempts + 1),
        });
      }
      case 'wait':
        return this.wait(run, submission, result);
      case 'failed':
        await run.hold(async () => {
          await this.progress.write(id, { link: result.link ?? null });
          await this.record(submission, result.release);
        });
        return run.fail(result.message);
      case 'done':
        return run.succeed(async () => {
          const { state, message, link = null, release } = result;
          await this.progress.write(id, { state, message, link });
          if (release !== undefined) await this.record(submission, release);
        });
    }
  }

  /** Where its release is: its own, or the one that it changes. */
  private async record(submission: Submission, release: ReleaseLook): Promise<void> {
    const { id, releaseId, appId } = submission;
    await this.releases.record({ id: releaseId ?? id, appId }, release, causeOf(submission));
  }

  private async wait(
    run: WorkerRun,
    submission: Submission,
    { waitsFor: key, message, afterSeconds }: Extract<StepResult, { kind: 'wait' }>,
  ): Promise<void> {
    const { waitsFor, waitingSince } = submission;
    const { waitHours } = this.config.stores;
    const limit = databaseNow(-1000 * waitHours * SECONDS_PER_HOUR);
    if (waitingSince !== null && waitingSince < limit && !(await this.wasResumedSince(limit, run))) {
      return run.fail(
        `${message} It has waited for ${inHours(waitHours)}, which is the limit. ${submission.releaseId === null ? 'Submit again.' : 'Request the change again.'}`,
      );
    }
    if (waitsFor !== key || submission.message !== message) await run.log(message);
    await run.goOn({
      waits: true,
      afterSeconds,
      publish: () => this.progress.wait(submission, key, message),
    });
  }

  /** Whether its organization was suspended until then: the submission could not continue. */
  private async wasResumedSince(time: Date, { job }: WorkerRun): Promise<boolean> {
    const { resumedAt } = await this.organizations.get(job.organizationId);
    return resumedAt !== null && resumedAt > time;
  }
}

/** Does the step of a submission. After a refusal, its store says how it continues. @throws unknown when it does not */
async function attempt(store: Store, context: RunContext): Promise<StepResult> {
  try {
    return await store.run(context.submission.step, context);
  } catch (error) {
    const refusal = refusalOfError(error);
    const result = refusal === null ? null : await store.recover(refusal, context);
    if (refusal === null || result === null) throw error;
    // What it waits for is said once, by the wait.
    const lines = [...(result.kind === 'wait' ? [] : [refusal.message]), ...quoteOf(store.name, refusal)];
    if (lines.length > 0) await context.log(...lines);
    return result;
  }
}

function inHours(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
