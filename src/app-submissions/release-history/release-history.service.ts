import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findPage, insertOrThrow } from '../../database/rows.js';
import type { JobStatus } from '../../jobs/jobs/job.entity.js';
import { causeOf, type EndedAction, type ReleaseCause, ReleaseChanges } from '../releases/release-changes.js';
import type { StoreRelease } from '../releases/store-release.entity.js';
import { SubmissionCreation } from '../submissions/submission-creation.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { ReleaseEvent } from './release-event.entity.js';

/** What is new in the history of a release; absent is `null`. */
export type NewReleaseEvent = Pick<ReleaseEvent, 'appId' | 'releaseId' | 'kind' | 'actor'> &
  Partial<
    Pick<
      ReleaseEvent,
      'userId' | 'action' | 'userFraction' | 'status' | 'hasSucceeded' | 'jobId' | 'message' | 'storeMessage'
    >
  >;

/**
 * Who did what to releases, and what the stores said. What is requested, how it ends, and where releases go is written in the
 * transaction of each.
 */
@Injectable()
export class ReleaseHistory implements OnModuleInit {
  constructor(
    @InjectRepository(ReleaseEvent) private readonly events: Repository<ReleaseEvent>,
    private readonly submissions: SubmissionsService,
    private readonly creation: SubmissionCreation,
    private readonly changes: ReleaseChanges,
  ) {}

  onModuleInit(): void {
    this.creation.created.register((submission) => this.requested(submission, causeOf(submission)));
    this.changes.requested.register((change, cause) => this.requested(change, cause));
    this.changes.actionEnded.register((ended) => this.ended(ended));
    this.changes.finished.register((submission, cause) =>
      this.add({ ...about(submission), ...cause, kind: 'finished', userFraction: null }),
    );
    this.changes.moved.register((release, before, cause) => this.moved(release, before, cause));
  }

  /** Adds a line, in the running transaction. */
  async add(event: NewReleaseEvent): Promise<void> {
    await insertOrThrow(this.events, event);
  }

  /**
   * What happened to the release of a submission, oldest first.
   *
   * @throws NotFoundError when the app has no deployment to a store under this id
   */
  async list(appId: string, releaseId: string, query: PageQuery): Promise<Page<ReleaseEvent>> {
    const { id } = await this.submissions.getOfDeployment(appId, releaseId);
    return findPage(this.events, { releaseId: id }, query, { id: 'ASC' });
  }

  private requested(submission: Submission, cause: ReleaseCause): Promise<void> {
    const { message, jobId } = submission;
    return this.add({ ...about(submission), ...cause, kind: 'requested', jobId, message });
  }

  private ended({ submission, canceledBy, ...ended }: EndedAction): Promise<void> {
    const { status, hasSucceeded, message, storeMessage } = ended;
    const actor = actorOfEnd(status, storeMessage);
    return this.add({
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
    return this.add({
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
