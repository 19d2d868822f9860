import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import { keyIsGone } from '../calls/refusals/refusal.js';
import type { StoreSession } from '../calls/store-session.js';
import { SealedUploads } from '../flow/sealed-uploads.service.js';
import type { Store } from '../flow/store.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import { SubmissionStores } from '../flow/store.js';
import type { ReleaseLook } from '../releases/release-look.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { AppStoreConnectClient } from './api/app-store-connect-client.js';
import { AppleAccounts, API_KEY } from './apple-accounts.service.js';
import { type ChangeRun, type Connect, type ReviewRun, stateOf } from './apple-state.js';
import { releaseVersion, setPhasedRelease, withdraw } from './changes/change-release.js';
import { lookAtRelease } from './changes/look-at-release.js';
import { recover } from './recovery.js';
import { leaveReview } from './review/review-room.js';
import { submit } from './submit.js';
import { begunUploads, removeUpload, uploadsOf } from './testflight/builds.js';

/** Submissions to App Store Connect, each with the flow of its action. A change of a release has one step. */
@Injectable()
export class AppStoreConnectStore implements Store, OnModuleInit {
  readonly type = 'apple-app-store-connect';
  readonly name = 'App Store Connect';
  private readonly connect: Connect;

  constructor(
    private readonly accounts: AppleAccounts,
    progress: SubmissionProgress,
    sealed: SealedUploads,
    blobs: BlobsService,
    private readonly stores: SubmissionStores,
  ) {
    this.connect = { accounts, progress, sealed, blobs };
  }

  onModuleInit(): void {
    this.stores.register(this);
  }

  masks(submission: Submission): Promise<readonly string[]> {
    return this.accounts.masks(submission);
  }

  run(run: SubmissionRun): Promise<void> {
    const { action } = run.submission;
    const change = run as ChangeRun;
    switch (action) {
      case 'submit':
      case 'promote':
        return submit(run as ReviewRun, this.connect);
      case 'set-rollout':
        return change.once(action, () => setPhasedRelease(change, this.connect));
      case 'release':
        return change.once(action, () => releaseVersion(change, this.connect));
      case 'withdraw':
        return change.once(action, () => withdraw(change, this.connect));
    }
  }

  recover(refusal: StoreRefusal, run: SubmissionRun): Promise<void> {
    return recover(refusal, run as ReviewRun, this.connect);
  }

  /** An upload that Apple has got the end of is a build, and stays; so does the version. */
  leavesWork(submission: Submission): boolean {
    if (submission.commitSentAt !== null) return false;
    return leavesUpload(submission) || stateOf(submission).reviewSubmissionId !== undefined;
  }

  async discard(submission: Submission, session: StoreSession): Promise<void> {
    let failure: StoreRefusal = keyIsGone(API_KEY);
    for (const client of await this.accounts.clientsOf(submission, session)) {
      try {
        if (leavesUpload(submission))
          for (const id of await leftovers(submission, client)) await removeUpload(client, id);
        await leaveReview(submission, client);
        return;
      } catch (error) {
        if (!(error instanceof StoreRefusal) || error.refusal.retry === 'again') throw error;
        failure = error;
      }
    }
    throw failure;
  }

  afterCommit(submission: Submission): string | null {
    const { isRejected, isDelivered, reviewSubmissionId } = stateOf(submission);
    if (isRejected === true || submission.releaseId !== null) return null;
    if (reviewSubmissionId !== undefined)
      return 'The version may be in the review of the App Store all the same: look there first.';
    return isDelivered === true
      ? 'The build stays in App Store Connect.'
      : 'Apple may have the file all the same: another submission of this build looks first.';
  }

  missingAction(): Promise<null> {
    return Promise.resolve(null);
  }

  look(submission: Submission, session: StoreSession, known: ReleaseLook | null): Promise<ReleaseLook> {
    return lookAtRelease(this.accounts, submission, session, known);
  }
}

function leavesUpload(submission: Submission): boolean {
  const { isAdopted, isDelivered, buildUploadId, knownUploads } = stateOf(submission);
  const hasBegun = buildUploadId !== undefined || knownUploads !== undefined;
  return hasBegun && isAdopted !== true && isDelivered !== true;
}

/** Its upload, also when the answer that names it was lost. */
async function leftovers(submission: Submission, client: AppStoreConnectClient): Promise<string[]> {
  const { buildUploadId, knownUploads } = stateOf(submission);
  if (buildUploadId !== undefined) return [buildUploadId];
  if (knownUploads === undefined) return [];
  return begunUploads(await uploadsOf(submission, client), knownUploads);
}
