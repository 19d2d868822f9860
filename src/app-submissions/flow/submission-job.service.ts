import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { JobKinds } from '../../jobs/job-kinds/job-kinds.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import type { QueueDefinition } from '../../queue/queue.service.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { StoreReleases } from '../releases/store-releases.service.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import { StoreTurns } from './store-turns.service.js';
import { type Store, SubmissionStores } from './store.js';
import { SubmissionEndings } from './submission-endings.service.js';
import { RunOver, SubmissionRun } from './submission-run.js';

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

/** How long a step that this release does not know is left to other servers. */
const UNKNOWN_STEP = { attempts: 20, afterSeconds: 30 } as const;

/** The reason for users when the queue has no attempts left at a step. */
const GIVEN_UP =
  'The server has failed several times. Look in the store, then submit the build or request the change again.';

/** The job of a submission: each of its tasks calls the flow of its store, which does one step. See ADR 61. */
@Injectable()
export class SubmissionJob implements OnModuleInit {
  constructor(
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly calls: StoreCalls,
    private readonly endings: SubmissionEndings,
    private readonly releases: StoreReleases,
    private readonly turns: StoreTurns,
    private readonly kinds: JobKinds,
    private readonly workers: WorkerJobs,
    private readonly organizations: OrganizationsService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.kinds.register('submission', this.endings);
    this.workers.register('submission', { queue: QUEUE, givenUp: GIVEN_UP, run: (run) => this.run(run) });
  }

  private async run(worker: WorkerRun): Promise<void> {
    const { id: jobId, organizationId } = worker.job;
    const submission = await this.progress.findByJob(jobId);
    if (submission === null) return worker.fail('The deployment was deleted.');
    const store = this.stores.of(submission.type);
    const session = this.calls.of({ organizationId, submissionId: submission.id });
    const run = new SubmissionRun(submission, session, worker, {
      progress: this.progress,
      releases: this.releases,
      turns: this.turns,
      storeName: store.name,
      waitHours: this.config.stores.waitHours,
      resumedAt: async () => (await this.organizations.get(organizationId)).resumedAt,
    });
    try {
      await doStep(store, run);
    } catch (error) {
      if (error instanceof RunOver) return;
      const refusal = refusalOfError(error);
      if (refusal === null) throw error;
      await run.refuse(refusal);
    }
  }
}

/**
 * Does the present step of a submission. A step that this release does not know is left to servers of the next one, for some
 * minutes of an update.
 *
 * @throws RunOver @throws unknown when the store does not go on
 */
async function doStep(store: Store, run: SubmissionRun): Promise<never> {
  const { step } = run.submission;
  try {
    await store.run(run);
  } catch (error) {
    return goOnAfter(error, store, run);
  }
  if (!run.knowsStep && run.attempts < UNKNOWN_STEP.attempts) {
    await run.log(`This server does not know the step ${step}: a newer one goes on with it.`);
    return run.tryAgain({ afterSeconds: UNKNOWN_STEP.afterSeconds });
  }
  throw new Error(`Submissions to ${store.name} have no end behind the step ${step}.`);
}

/**
 * Goes on after a refusal, as the store says. A call that the store needs for that can be refused as well, which then counts.
 *
 * @throws RunOver @throws unknown when the store does not go on
 */
async function goOnAfter(error: unknown, store: Store, run: SubmissionRun, isLast = false): Promise<never> {
  const refusal = refusalOfError(error);
  if (refusal === null) throw error;
  try {
    await store.recover(refusal, run);
  } catch (other) {
    if (isLast) throw other;
    return goOnAfter(other, store, run, true);
  }
  throw error;
}
