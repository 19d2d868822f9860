import { Injectable } from '@nestjs/common';
import type { ReleaseLook } from '../../../store-releases/release-look.js';
import type { SubmissionRun } from '../../../submission-steps/submission-run.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import { keyIsGone } from '../../refusals/refused.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import type { StoreSession } from '../../store-calls/store-session.js';
import type { StepContext, StepResult, Store } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import { begunUploads } from '../testflight-builds/own-build.js';
import { AppleAccounts, API_KEY } from './apple-accounts.service.js';
import { AppleBuilds, removeUpload } from './apple-builds.service.js';
import { progressOf } from './apple-progress.js';
import { AppleRecovery } from './apple-recovery.service.js';
import { AttachStep } from './app-store/attach.step.js';
import { freeVersion } from './app-store/free-version.js';
import { SubmitReviewStep } from './app-store/submit-review.step.js';
import { VersionStep } from './app-store/version.step.js';
import { WhatsNewStep } from './app-store/whats-new.step.js';
import { AppleReleases } from './changes/apple-releases.service.js';
import { ReleaseStep } from './changes/release.step.js';
import { RolloutStep } from './changes/rollout.step.js';
import { WithdrawStep } from './changes/withdraw.step.js';
import { CheckStep } from './check.step.js';
import { follow } from './follow.js';
import { ComplianceStep } from './compliance.step.js';
import { DeliverStep } from './deliver.step.js';
import { GroupsStep } from './groups.step.js';
import { NotesStep } from './notes.step.js';
import { ProcessingStep } from './processing.step.js';
import { ReviewStep } from './review.step.js';
import { UploadStep } from './upload.step.js';

/**
 * Submissions to App Store Connect. Up to TestFlight: check, upload, deliver, processing, compliance, notes, groups, and review
 * between groups. To the App Store: version, attach, whats-new, submit-review. The others are changes of a release.
 */
@Injectable()
export class AppStoreConnectStore implements Store {
  readonly type = 'apple-app-store-connect';
  readonly name = 'App Store Connect';
  private readonly steps: ReadonlyMap<string, { run(context: StepContext): Promise<StepResult> }>;

  constructor(
    private readonly accounts: AppleAccounts,
    private readonly builds: AppleBuilds,
    private readonly recovery: AppleRecovery,
    check: CheckStep,
    upload: UploadStep,
    deliver: DeliverStep,
    processing: ProcessingStep,
    compliance: ComplianceStep,
    notes: NotesStep,
    review: ReviewStep,
    groups: GroupsStep,
    version: VersionStep,
    attach: AttachStep,
    whatsNew: WhatsNewStep,
    submitReview: SubmitReviewStep,
    private readonly releases: AppleReleases,
    rollout: RolloutStep,
    release: ReleaseStep,
    withdraw: WithdrawStep,
  ) {
    const steps = { check, upload, deliver, processing, compliance, notes, review, groups, version, attach };
    const others = { 'whats-new': whatsNew, 'submit-review': submitReview, 'set-rollout': rollout };
    this.steps = new Map(Object.entries({ ...steps, ...others, release, withdraw }));
  }

  masks(submission: Submission): Promise<readonly string[]> {
    return this.accounts.masks(submission);
  }

  async run(run: SubmissionRun): Promise<void> {
    const { step } = run.submission;
    const work = this.steps.get(step);
    if (work === undefined) throw new Error(`Submissions to App Store Connect have no step ${step}.`);
    await follow(run, await work.run(run));
  }

  async recover(refusal: StoreRefusal, run: SubmissionRun): Promise<void> {
    const result = await this.recovery.after(refusal, run);
    if (result === null) return;
    // What it waits for is said once, by the wait.
    await (result.kind === 'wait' ? run.quote(refusal) : run.explain(refusal));
    await follow(run, result);
  }

  /** An upload that Apple has got the end of is a build, and stays; so does the version. */
  leavesWork(submission: Submission): boolean {
    if (submission.commitSentAt !== null) return false;
    return leavesUpload(submission) || progressOf(submission).reviewSubmissionId !== undefined;
  }

  async discard(submission: Submission, session: StoreSession): Promise<void> {
    let failure: StoreRefusal = keyIsGone(API_KEY);
    for (const client of await this.accounts.clientsOf(submission, session)) {
      try {
        if (leavesUpload(submission))
          for (const id of await this.leftovers(submission, client)) await removeUpload(client, id);
        await freeVersion(submission, client);
        return;
      } catch (error) {
        if (!(error instanceof StoreRefusal) || error.refusal.retry === 'again') throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Its upload, also when the answer that names it was lost. */
  private async leftovers(submission: Submission, client: AppStoreConnectClient): Promise<string[]> {
    const { buildUploadId, knownUploads } = progressOf(submission);
    if (buildUploadId !== undefined) return [buildUploadId];
    if (knownUploads === undefined) return [];
    return begunUploads(await this.builds.uploads(submission, client), knownUploads);
  }

  afterCommit(submission: Submission): string | null {
    const { isRejected, isDelivered, reviewSubmissionId } = progressOf(submission);
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
    return this.releases.look(submission, session, known);
  }
}

function leavesUpload(submission: Submission): boolean {
  const { isAdopted, isDelivered, buildUploadId, knownUploads } = progressOf(submission);
  const hasBegun = buildUploadId !== undefined || knownUploads !== undefined;
  return hasBegun && isAdopted !== true && isDelivered !== true;
}
