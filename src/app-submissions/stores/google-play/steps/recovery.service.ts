import { Injectable } from '@nestjs/common';
import { StoreTurns } from '../../../store-turns/store-turns.service.js';
import { retryDelay } from '../../refusals/retry-delay.js';
import type { StoreRefusal } from '../../refusals/refusal.js';
import type { StepContext, StepResult } from '../../store.js';
import { PlayAccounts } from './play-account.service.js';
import { MAX_EDITS, type PlayProgress, progressOf, withoutEdit } from './play-progress.js';
import { publishedLook } from '../track-releases/release-looks.js';
import { codeOf, playArtifactType } from '../track-releases/release-of.js';

/** What Google wants about reviews can change once there and back. */
const MAX_REVIEW_CHANGES = 3;
/** A longer wait leaves the edit to others, in seconds. */
const KEEP_EDIT_SECONDS = 120;

/** Decides how a submission continues after a refusal of Google Play. */
@Injectable()
export class PlayRecovery {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly turns: StoreTurns,
  ) {}

  /** @returns `null`: it is refused permanently, or was tried often enough */
  async after(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    const { submission } = context;
    const progress = progressOf(submission);
    switch (refusal.refusal.does) {
      case 'new-edit':
        // Without an edit, the answer makes no sense, and another edit would change nothing.
        return progress.editId === undefined ? this.later(refusal, context) : this.newEdit(context, progress);
      case 'same-file':
        return this.goOnWithSameFile(context, progress);
      case 'ack-size-warning':
        if (progress.acknowledgesSizeWarning === true) return null;
        await context.save({
          ...WITHOUT_UPLOAD,
          external: { ...progress, acknowledgesSizeWarning: true },
        });
        return { kind: 'again', afterSeconds: 1 };
      case 'not-sent-for-review':
        return this.changeReview(context, progress, true);
      case 'send-for-review':
        return this.changeReview(context, progress, false);
      case 'done':
        return this.alreadyDone(refusal, context, progress);
      case 'new-upload':
        await context.save(WITHOUT_UPLOAD);
        return this.later(refusal, context);
      default:
        return this.later(refusal, context);
    }
  }

  /** The version is released, or its edit committed: not by this submission, which commits in its last steps only. */
  private async alreadyDone(
    { refusal }: StoreRefusal,
    context: StepContext,
    progress: PlayProgress,
  ): Promise<StepResult | null> {
    const { step, action, userFraction } = context.submission;
    if (action === 'set-rollout') {
      // The track of another edit shows what happened.
      const isSettled = refusal.code === 'edit_committed' || userFraction === 1;
      return isSettled ? this.newEdit(context, progress) : null;
    }
    if (refusal.code !== 'edit_committed') return isThere(context);
    const isOwn = step === 'commit' || step === 'confirm' || progress.editId === undefined;
    // Programs with the same service account can get the same edit.
    return isOwn ? null : this.newEdit(context, progress);
  }

  private async newEdit(context: StepContext, progress: PlayProgress): Promise<StepResult | null> {
    const edits = progress.edits ?? 0;
    if (edits >= MAX_EDITS) return null;
    await context.save({ ...WITHOUT_UPLOAD, external: { ...withoutEdit(progress) } });
    return { kind: 'again', step: editStepOf(context), afterSeconds: 2 * Math.max(edits, 1) };
  }

  /** Google Play has a file with this version code, maybe since a draft that was discarded. */
  private async goOnWithSameFile(context: StepContext, progress: PlayProgress): Promise<StepResult | null> {
    const { submission } = context;
    // Only the upload asks for this: later, the file is there, and the same question would have the same answer.
    if (progress.editId === undefined || submission.step !== 'upload') return null;
    const client = await this.accounts.clientOf(context);
    const known = await client.artifacts(progress.editId, playArtifactType(submission));
    const isSame = known.some(
      ({ versionCode, sha256 }) => versionCode === codeOf(submission) && sha256 === submission.sha256,
    );
    if (!isSame) return null;
    await context.log('It is this very file, so the submission goes on with it.');
    await context.save({ ...WITHOUT_UPLOAD, external: { ...progress, hasFile: true } });
    return { kind: 'next', step: 'symbols' };
  }

  private async changeReview(
    context: StepContext,
    progress: PlayProgress,
    isNotSentForReview: boolean,
  ): Promise<StepResult | null> {
    const reviewChanges = (progress.reviewChanges ?? 0) + 1;
    if (reviewChanges > MAX_REVIEW_CHANGES) return null;
    await context.save({ external: { ...progress, isNotSentForReview, reviewChanges } });
    return { kind: 'again', step: 'commit', afterSeconds: 1 };
  }

  private async later(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    const { submission } = context;
    const afterSeconds = retryDelay(refusal.refusal, submission.stepAttempts + 1);
    if (afterSeconds === null) return null;
    if (afterSeconds <= KEEP_EDIT_SECONDS || submission.commitSentAt !== null)
      return { kind: 'again', afterSeconds };
    return this.letGo(context, afterSeconds);
  }

  /** Others of this account and app must not wait for a store that has asked this one to wait. */
  private async letGo(context: StepContext, afterSeconds: number): Promise<StepResult | null> {
    const { submission } = context;
    const progress = progressOf(submission);
    const { editId } = progress;
    if (editId === undefined) {
      await context.save({}, () => this.turns.release(submission.id));
      return { kind: 'again', afterSeconds };
    }
    if ((progress.edits ?? 0) >= MAX_EDITS) return null;
    await context.log('The edit is left to others in the meantime.');
    await this.deleteEdit(context, editId).catch(() => undefined);
    await context.save({ ...WITHOUT_UPLOAD, external: { ...withoutEdit(progress) } }, () =>
      this.turns.release(submission.id),
    );
    return { kind: 'again', step: editStepOf(context), afterSeconds };
  }

  private async deleteEdit(context: StepContext, editId: string): Promise<void> {
    const client = await this.accounts.clientOf(context);
    await client.deleteEdit(editId);
  }
}

/** The step that opens an edit. */
function editStepOf({ submission: { action } }: StepContext): string {
  return action === 'set-rollout' ? action : 'edit';
}

const WITHOUT_UPLOAD = { sealedUpload: null, sentBytes: 0 } as const;

/** What the call wanted is there already. */
function isThere({ submission }: StepContext): StepResult {
  const share = { userFraction: 1, resumeFraction: null };
  return {
    kind: 'done',
    state: 'prepared',
    message: 'Google Play has released this version to all users before.',
    release: publishedLook(submission, share),
  };
}
