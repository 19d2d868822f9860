import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobStatus } from '../../jobs/jobs/job.entity.js';
import { causeOf } from '../releases/cause-of.js';
import { type EndedAction, ReleaseChanges, type ReleaseCause } from '../releases/release-changes.js';
import type { StoreRelease } from '../releases/store-release.entity.js';
import type { Submission } from '../submissions/submission.entity.js';
import { SubmissionCreation } from '../submissions/submission-creation.service.js';
import { ReleaseHistory } from './release-history.service.js';

/** Writes into the history what is requested, how it ends, and where releases go, in the transaction of each. */
@Injectable()
export class ReleaseHistoryRecorder implements OnModuleInit {
  constructor(
    private readonly history: ReleaseHistory,
    private readonly creation: SubmissionCreation,
    private readonly changes: ReleaseChanges,
  ) {}

  onModuleInit(): void {
    this.creation.created.register((submission) => this.requested(submission, causeOf(submission)));
    this.changes.requested.register((change, cause) => this.requested(change, cause));
    this.changes.actionEnded.register((ended) => this.ended(ended));
    this.changes.finished.register((submission, cause) =>
      this.history.add({ ...about(submission), ...cause, kind: 'finished', userFraction: null }),
    );
    this.changes.moved.register((release, before, cause) => this.moved(release, before, cause));
  }

  private requested(submission: Submission, cause: ReleaseCause): Promise<void> {
    const { message, jobId } = submission;
    return this.history.add({ ...about(submission), ...cause, kind: 'requested', jobId, message });
  }

  private ended({ submission, canceledBy, ...ended }: EndedAction): Promise<void> {
    const { status, hasSucceeded, message, storeMessage } = ended;
    const actor = actorOfEnd(status, storeMessage);
    return this.history.add({
      ...about(submission),
      kind: 'ended',
      actor,
      userId: actor === 'user' ? canceledBy : null,
      hasSucceeded,
      jobId: submission.jobId,
      message,
      storeMessage,
    });
  }

  private moved(release: StoreRelease, before: StoreRelease | null, cause: ReleaseCause): Promise<void> {
    const { id: releaseId, appId, status, userFraction, message, storeStatus } = release;
    return this.history.add({
      appId,
      releaseId,
      ...cause,
      kind: 'status',
      status: status === before?.status ? null : status,
      userFraction,
      message,
      storeMessage: storeStatus,
    });
  }
}

function about({ id, appId, releaseId, action, userFraction }: Submission): {
  appId: string;
  releaseId: string;
  action: Submission['action'];
  userFraction: number | null;
} {
  const hasShare = action !== 'release' && action !== 'withdraw';
  return { appId, releaseId: releaseId ?? id, action, userFraction: hasShare ? userFraction : null };
}

/** Who has ended an action: the one who canceled it, the store that has done or refused it, or Slipway. */
function actorOfEnd(status: JobStatus, storeMessage: string | null): 'user' | 'store' | 'slipway' {
  if (status === 'canceled') return 'user';
  return status === 'succeeded' || storeMessage !== null ? 'store' : 'slipway';
}
