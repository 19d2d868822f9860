import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ConflictError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { JobKind } from '../../jobs/job-kinds/job-kinds.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { ReleaseChanges } from '../releases/release-changes.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import { StoreTurns } from './store-turns.service.js';
import { SubmissionStores } from './store.js';

/** Others may wait for the edit, so a store that does not answer keeps it for a few minutes at most. */
const CLEANUPS: QueueDefinition = {
  name: 'submission-cleanups',
  retryLimit: 2,
  retryDelay: 5,
  retryDelayMax: 15,
  expireInSeconds: 180,
  heartbeatSeconds: 60,
};

interface CleanupJob {
  readonly submissionId: string;
  readonly organizationId: string;
}

/** Removes from stores what ended submissions have left there. */
@Injectable()
export class SubmissionCleanups implements OnModuleInit {
  private readonly logger = new Logger(SubmissionCleanups.name);

  constructor(
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly calls: StoreCalls,
    private readonly turns: StoreTurns,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<CleanupJob>(CLEANUPS, (job) => this.clean(job), {
      giveUp: ({ submissionId }) => transaction(() => this.turns.release(submissionId)),
    });
  }

  /** Lets a worker remove it soon after the running transaction; then others can have the edit. */
  request(submissionId: string, organizationId: string): Promise<void> {
    const job: CleanupJob = { submissionId, organizationId };
    return this.queue.send(CLEANUPS, organizationId, job);
  }

  /** @throws unknown what the queue is to try again */
  private async clean({ submissionId, organizationId }: CleanupJob): Promise<void> {
    const submission = await this.progress.find(submissionId);
    if (submission === null) return;
    const session = this.calls.of({ organizationId, submissionId });
    try {
      await this.stores.of(submission.type).discard(submission, session);
    } catch (error) {
      const refusal = refusalOfError(error);
      if (refusal === null || refusal.refusal.retry === 'again') throw error;
      // Such as the answer that the edit no longer exists.
      this.logger.log(
        { submissionId, code: refusal.refusal.code },
        'A store keeps what a submission has left',
      );
    }
    await transaction(() => this.turns.release(submissionId));
  }
}

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
