import type { WorkerRun } from '../../jobs/worker-jobs/worker-run.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { StoreSession } from '../stores/store-calls/store-session.js';
import type { StepContext, SubmissionChanges } from '../stores/store.js';

/** What one run of a job gives to a step. Everything that it writes checks that the job is still its own. */
export class RunContext implements StepContext {
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
