import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { currentActor } from '../../database/transactions/actor.js';
import { ReleaseChanges } from '../releases/release-changes.js';
import { StoreTurns } from './store-turns.service.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { REQUEST_PATIENCE_MS } from '../calls/store-session.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { SubmissionStores } from './store.js';

/** Ends the wait for a person. */
@Injectable()
export class SubmissionDoneService {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly calls: StoreCalls,
    private readonly turns: StoreTurns,
    private readonly changes: ReleaseChanges,
  ) {}

  /**
   * Outside of transactions, because it calls the store.
   *
   * @throws NotFoundError when the app has no such submission
   * @throws ConflictError when it does not wait for a person, or the store says that the person is not done
   */
  async markAsDone({ id: appId, organizationId }: App, id: string): Promise<Submission> {
    const submission = await this.submissions.get(appId, id);
    requireWaiting(submission);
    const missing = await this.ask(submission, organizationId);
    if (missing !== null) throw new ConflictError(missing, 'submission_state');
    return transaction(async () => {
      const current = await this.progress.lock(id);
      // Someone else was faster, or the deployment was deleted.
      if (current !== null) requireWaiting(current);
      await this.progress.write(id, { state: 'finished_manually', message: null, link: null });
      const userId = currentActor()?.userId ?? null;
      await this.changes.finished.notify(submission, { actor: 'user', userId });
      const { packageName, track } = submission;
      if (track !== null) this.turns.wakeTrack(packageName, track);
      return this.submissions.get(appId, id);
    });
  }

  /** @returns one sentence about what is missing; `null`: nothing */
  private async ask(submission: Submission, organizationId: string): Promise<string | null> {
    const session = this.calls.of({
      organizationId,
      submissionId: submission.id,
      patienceMs: REQUEST_PATIENCE_MS,
    });
    try {
      return await this.stores.of(submission.type).missingAction(submission, session);
    } catch (error) {
      const refusal = refusalOfError(error);
      if (refusal === null) throw error;
      return refusal.message;
    }
  }
}

function requireWaiting({ state }: Submission): void {
  if (state === 'failed_with_action_required') return;
  throw new ConflictError(
    `The submission does not wait for a person: its state is ${state}.`,
    'submission_state',
  );
}
