import { Injectable } from '@nestjs/common';
import type { ReleaseLook } from '../../../releases/release-look.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import type { StoreRefusal } from '../../refusals/refusal.js';
import type { StoreSession } from '../../store-calls/store-session.js';
import type { StepContext, StepResult, Store } from '../../store.js';
import { CheckStep, trackOf } from './check.step.js';
import { CommitStep } from './commit.step.js';
import { EditStep } from './edit.step.js';
import { PlayAccounts } from './play-account.service.js';
import { progressOf } from './play-progress.js';
import { PlayRecovery } from './recovery.service.js';
import { isNotSent, isShown } from '../releases/release-of.js';
import { SymbolsStep } from './symbols.step.js';
import { TrackStep } from './track.step.js';
import { UploadStep } from './upload.step.js';
import { ValidateStep } from './validate.step.js';

/** Submissions to Google Play: check, edit, upload, symbols, track, validate, commit, and confirm after a lost answer. */
@Injectable()
export class GooglePlayStore implements Store {
  readonly type = 'google-play';
  readonly name = 'Google Play';
  private readonly steps: ReadonlyMap<string, (context: StepContext) => Promise<StepResult>>;

  constructor(
    private readonly accounts: PlayAccounts,
    private readonly recovery: PlayRecovery,
    check: CheckStep,
    edit: EditStep,
    upload: UploadStep,
    symbols: SymbolsStep,
    track: TrackStep,
    validate: ValidateStep,
    commit: CommitStep,
  ) {
    this.steps = new Map([
      ['check', (context) => check.run(context)],
      ['edit', (context) => edit.run(context)],
      ['upload', (context) => upload.run(context)],
      ['symbols', (context) => symbols.run(context)],
      ['track', (context) => track.run(context)],
      ['validate', (context) => validate.run(context)],
      ['commit', (context) => commit.run(context)],
      ['confirm', (context) => commit.confirm(context)],
    ]);
  }

  masks(submission: Submission): Promise<readonly string[]> {
    return this.accounts.masks(submission);
  }

  run(step: string, context: StepContext): Promise<StepResult> {
    const work = this.steps.get(step);
    if (work === undefined) throw new Error(`Submissions to Google Play have no step ${step}.`);
    return work(context);
  }

  recover(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    return this.recovery.after(refusal, context);
  }

  leavesWork(submission: Submission): boolean {
    return progressOf(submission).editId !== undefined && submission.commitSentAt === null;
  }

  async discard(submission: Submission, session: StoreSession): Promise<void> {
    const { editId } = progressOf(submission);
    if (editId === undefined) return;
    const client = await this.accounts.signInAgain(submission, session);
    await client.deleteEdit(editId);
  }

  afterCommit(): string {
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

  look(): Promise<ReleaseLook> {
    return Promise.reject(new Error('Slipway does not follow releases in Google Play yet.'));
  }
}
