import { Injectable } from '@nestjs/common';
import type { ReleaseLook } from '../../../store-releases/release-look.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import { refusalOfError } from '../../refusals/retry-delay.js';
import type { StoreRefusal } from '../../refusals/refusal.js';
import type { StoreSession } from '../../store-calls/store-session.js';
import type { StepContext, StepResult, Store } from '../../store.js';
import { CheckStep, trackOf } from './check.step.js';
import { CommitStep } from './commit.step.js';
import { EditStep } from './edit.step.js';
import { PlayAccounts } from './play-account.service.js';
import { PlayLooks } from './play-looks.service.js';
import { progressOf } from './play-progress.js';
import { PlayRecovery } from './recovery.service.js';
import { toChangeRefusal } from '../refusals/change-refusals.js';
import { notInGooglePlay } from '../refusals/own-refusals.js';
import { isNotSent, isShown } from '../track-releases/release-of.js';
import { SetRolloutStep } from './set-rollout.step.js';
import { SymbolsStep } from './symbols.step.js';
import { TrackStep } from './track.step.js';
import { UploadStep } from './upload.step.js';
import { ValidateStep } from './validate.step.js';

/**
 * Submissions to Google Play: check, edit, upload, symbols, track, validate, commit, and confirm after a lost answer. A
 * promotion skips upload and symbols; a change of a rollout begins with set-rollout, and continues with validate.
 */
@Injectable()
export class GooglePlayStore implements Store {
  readonly type = 'google-play';
  readonly name = 'Google Play';
  private readonly steps: ReadonlyMap<string, (context: StepContext) => Promise<StepResult>>;

  constructor(
    private readonly accounts: PlayAccounts,
    private readonly recovery: PlayRecovery,
    private readonly looks: PlayLooks,
    check: CheckStep,
    edit: EditStep,
    upload: UploadStep,
    symbols: SymbolsStep,
    track: TrackStep,
    validate: ValidateStep,
    commit: CommitStep,
    setRollout: SetRolloutStep,
  ) {
    this.steps = new Map<string, (context: StepContext) => Promise<StepResult>>([
      ['check', (context) => check.run(context)],
      ['edit', (context) => edit.run(context)],
      ['upload', (context) => upload.run(context)],
      ['symbols', (context) => symbols.run(context)],
      ['track', (context) => track.run(context)],
      ['validate', (context) => validate.run(context)],
      ['commit', (context) => commit.run(context)],
      ['confirm', (context) => commit.confirm(context)],
      ['set-rollout', (context) => setRollout.run(context)],
      ['release', () => Promise.reject(notInGooglePlay('publishes releases itself after their review'))],
      ['withdraw', () => Promise.reject(notInGooglePlay('lets only people take releases out of a review'))],
    ]);
  }

  masks(submission: Submission): Promise<readonly string[]> {
    return this.accounts.masks(submission);
  }

  async run(step: string, context: StepContext): Promise<StepResult> {
    const work = this.steps.get(step);
    if (work === undefined) throw new Error(`Submissions to Google Play have no step ${step}.`);
    try {
      return await work(context);
    } catch (error) {
      const refusal = context.submission.releaseId === null ? null : refusalOfError(error);
      throw refusal === null ? error : toChangeRefusal(refusal);
    }
  }

  recover(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    return this.recovery.after(refusal, context);
  }

  leavesWork(submission: Submission): boolean {
    const { editId } = progressOf(submission);
    if (editId === undefined) return false;
    // Another edit, which is never committed, shows whether a share was set.
    return submission.commitSentAt === null || submission.step === 'set-rollout';
  }

  async discard(submission: Submission, session: StoreSession): Promise<void> {
    const { editId } = progressOf(submission);
    if (editId === undefined) return;
    const client = await this.accounts.signInAgain(submission, session);
    await client.deleteEdit(editId);
  }

  afterCommit({ action }: Submission): string {
    if (action === 'set-rollout')
      return 'The change was sent to the store, so it may have taken effect all the same: look in the Play Console.';
    return 'It was sent to the store, so the release may be there all the same: look in the store before you submit again.';
  }

  async missingAction(submission: Submission, session: StoreSession): Promise<string | null> {
    const client = await this.accounts.signInAgain(submission, session, { prefersPresent: true });
    const track = trackOf(submission);
    const releases = await client.releases(track);
    if (!isShown(submission, releases)) {
      return `The track ${track} does not show the version code ${submission.versionCode}.`;
    }
    if (!isNotSent(submission, releases)) return null;
    return 'The release is not sent for review yet: send it in the Play Console under "Publishing overview".';
  }

  look(submission: Submission, session: StoreSession, known: ReleaseLook | null): Promise<ReleaseLook> {
    return this.looks.look(submission, session, known);
  }
}
