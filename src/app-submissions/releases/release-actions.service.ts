import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { AppError, ConflictError, errorOf } from '../../common/errors/app-error.js';
import { savepoint, transaction } from '../../database/transactions/transaction.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { SubmissionCreation } from '../submissions/submission-creation.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { ReleaseChanges } from './release-changes.js';
import { requireChangeable, type WantedChange } from './release-rules.js';
import type { StoreRelease } from './store-release.entity.js';
import { StoreReleases } from './store-releases.service.js';

/** Who wants a change. */
export interface ChangeActor {
  readonly kind: 'user' | 'rollout-plan';
  /** `null`: no user, or the user was deleted. */
  readonly userId: string | null;
}

/** Changes releases that stores have: each change is a job. */
@Injectable()
export class ReleaseActions {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly creation: SubmissionCreation,
    private readonly releases: StoreReleases,
    private readonly changes: ReleaseChanges,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Cancels the open change of the share of a release that has to stop, unless it was sent to the store. In the running
   * transaction, and before the release is locked: a job that ends locks it, too.
   *
   * @param userId who stops the release
   */
  async makeWayToStop(releaseId: string, userId: string): Promise<void> {
    const open = (await this.submissions.openChangesOf([releaseId])).get(releaseId);
    if (open?.action !== 'set-rollout' || open.userFraction === 0) return;
    try {
      await savepoint(() => this.jobs.cancel(open.jobId, userId));
    } catch (error) {
      // It was sent, or has ended: then the request finds out.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
    }
  }

  /**
   * Requests a change, in the running transaction if there is one. It locks the release.
   *
   * @param releaseId id of the deployment
   * @returns the change; the open one when it is the same; `null`: nothing has to change
   * @throws NotFoundError when the app has no such submission
   * @throws ConflictError `release_busy`: another change is open; `release_state`: not in this status, or the store has no release yet
   * @throws InvalidRequestError a share that the store does not take
   */
  request(
    app: App,
    releaseId: string,
    change: WantedChange,
    { kind, userId }: ChangeActor,
  ): Promise<Submission | null> {
    return transaction(async () => {
      const submission = await this.submissions.get(app.id, releaseId);
      const release = await this.releases.lock(releaseId);
      if (release === null) throw noRelease();
      const open = (await this.submissions.openChangesOf([releaseId])).get(releaseId);
      if (open !== undefined) return requireSame(open, change);
      const { type, submitsForReview, isPhased, appleReleaseType } = submission;
      const rules = { type, submitsForReview, isPhased, appleReleaseType };
      if (!(await this.isNeeded(release, rules, change))) return null;
      const createdBy = kind === 'user' ? userId : null;
      const requested = await this.creation.createChange(app, submission, { ...change, createdBy });
      await this.changes.requested.notify(requested, { actor: kind, userId });
      return requested;
    });
  }

  private async isNeeded(
    release: StoreRelease,
    rules: Pick<Submission, 'type' | 'submitsForReview' | 'isPhased' | 'appleReleaseType'>,
    change: WantedChange,
  ): Promise<boolean> {
    try {
      return requireChangeable({ ...release, ...rules }, change);
    } catch (error) {
      await this.changes.refused.notify(release);
      throw error;
    }
  }
}

/** @throws ConflictError when an open change is another one */
function requireSame(open: Submission, change: WantedChange): Submission {
  const isSame =
    open.action === change.action &&
    (change.action !== 'set-rollout' || open.userFraction === (change.userFraction ?? 1));
  if (isSame) return open;
  throw errorOf('release_busy');
}

function noRelease(): ConflictError {
  return new ConflictError(
    'The release cannot be changed: the store does not have it yet. Wait until the job of the deployment has succeeded, or cancel that job.',
    'release_state',
  );
}
