import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { StoreTurns } from './store-turns.service.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import { SubmissionStores } from './submission-stores.js';

/** Others may wait for the edit, so a store that does not answer keeps it for a few minutes at most. */
const QUEUE: QueueDefinition = {
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
    this.queue.handle<CleanupJob>(QUEUE, (job) => this.clean(job), {
      giveUp: ({ submissionId }) => transaction(() => this.turns.release(submissionId)),
    });
  }

  /** Lets a worker remove it soon after the running transaction; then others can have the edit. */
  request(submissionId: string, organizationId: string): Promise<void> {
    const job: CleanupJob = { submissionId, organizationId };
    return this.queue.send(QUEUE, organizationId, job);
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
