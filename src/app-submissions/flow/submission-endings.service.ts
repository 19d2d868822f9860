import { Injectable } from '@nestjs/common';
import { ConflictError } from '../../common/errors/app-error.js';
import type { JobKind } from '../../jobs/job-kinds/job-kinds.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { ReleaseChanges } from '../releases/release-changes.js';
import { StoreTurns } from './store-turns.service.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import { SubmissionCleanups } from './submission-cleanups.service.js';
import { SubmissionStores } from './submission-stores.js';

const CANCELED = {
  submission: 'The submission was canceled.',
  change: 'The change of the release was canceled.',
};

/** What happens when the job of a submission ends, in whichever way. */
@Injectable()
export class SubmissionEndings implements JobKind {
  constructor(
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly turns: StoreTurns,
    private readonly cleanups: SubmissionCleanups,
    private readonly changes: ReleaseChanges,
  ) {}

  /** @throws ConflictError when the job is canceled after the commit was sent */
  async ended({ id, status, statusMessage, organizationId, canceledBy }: Job): Promise<void> {
    const submission = await this.progress.lockByJob(id);
    if (submission === null) return;
    const what = submission.releaseId === null ? 'submission' : 'change';
    const wasSent = submission.commitSentAt !== null;
    if (status === 'canceled' && wasSent) {
      throw new ConflictError(
        `The ${what} cannot be canceled: it was sent to the store.`,
        'submission_committed',
      );
    }
    const store = this.stores.of(submission.type);
    const note = wasSent ? store.afterCommit(submission) : null;
    const hasSucceeded = status === 'succeeded';
    const reason = [statusMessage ?? CANCELED[what], ...(note === null ? [] : [note])].join(' ');
    const message = hasSucceeded ? submission.message : reason;
    await this.progress.write(submission.id, {
      sealedUpload: null,
      waitsFor: null,
      waitingSince: null,
      ...(!hasSucceeded && { state: 'failed', message }),
    });
    await this.changes.actionEnded.notify({
      submission,
      hasSucceeded,
      message,
      storeMessage: hasSucceeded ? null : submission.storeMessage,
      status,
      canceledBy,
    });
    if (store.leavesWork(submission)) {
      await this.cleanups.request(submission.id, organizationId);
      return;
    }
    await this.turns.release(submission.id);
    // It may have been its turn.
    if (submission.waitsFor !== null) this.turns.wakeNext(submission.waitsFor);
  }

  requeued(): Promise<void> {
    return Promise.resolve();
  }

  async masks({ id }: Job): Promise<readonly string[]> {
    const submission = await this.progress.findByJob(id);
    return submission === null ? [] : this.stores.of(submission.type).masks(submission);
  }
}
