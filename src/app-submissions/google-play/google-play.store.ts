import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { refused, type StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import type { StoreSession } from '../calls/store-session.js';
import { SealedUploads } from '../flow/sealed-uploads.service.js';
import { type Store, SubmissionStores } from '../flow/store.js';
import type { ReleaseLook } from '../releases/release-look.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { Play } from './edit.js';
import { PlayAccounts } from './play-account.service.js';
import { type PlayRun, stateOf, trackOf } from './play-state.js';
import { recover } from './recovery.js';
import { toChangeRefusal } from './refusals/find-refusal.js';
import { PLAY_CONSOLE } from './refusals/play-pages.js';
import { lookOf, shareOf } from './release-looks.js';
import { isNotSent, isShown } from './release-of.js';
import { setRollout } from './set-rollout.js';
import { submit } from './submit.js';

/** Submissions to Google Play, each with the flow of its action. */
@Injectable()
export class GooglePlayStore implements Store, OnModuleInit {
  readonly type = 'google-play';
  readonly name = 'Google Play';
  private readonly play: Play;

  constructor(
    private readonly accounts: PlayAccounts,
    progress: SubmissionProgress,
    sealed: SealedUploads,
    blobs: BlobsService,
    private readonly stores: SubmissionStores,
  ) {
    this.play = { accounts, progress, sealed, blobs };
  }

  onModuleInit(): void {
    this.stores.register(this);
  }

  masks(submission: Submission): Promise<readonly string[]> {
    return this.accounts.masks(submission);
  }

  async run(run: PlayRun): Promise<void> {
    try {
      await this.flow(run);
    } catch (error) {
      const refusal = run.submission.releaseId === null ? null : refusalOfError(error);
      throw refusal === null ? error : toChangeRefusal(refusal);
    }
  }

  private flow(run: PlayRun): Promise<void> {
    switch (run.submission.action) {
      case 'submit':
      case 'promote':
        return submit(run, this.play);
      case 'set-rollout':
        return setRollout(run, this.play);
      case 'release':
        throw notInGooglePlay('publishes releases itself after their review');
      case 'withdraw':
        throw notInGooglePlay('lets only people take releases out of a review');
    }
  }

  recover(refusal: StoreRefusal, run: PlayRun): Promise<void> {
    return recover(refusal, run, this.play);
  }

  leavesWork(submission: Submission): boolean {
    const { editId } = stateOf(submission);
    if (editId === undefined) return false;
    // At this step, the edit is only read after a commit, so it can be deleted all the same.
    return submission.commitSentAt === null || submission.step === 'set-rollout';
  }

  async discard(submission: Submission, session: StoreSession): Promise<void> {
    const { editId } = stateOf(submission);
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

  async look(submission: Submission, session: StoreSession, known: ReleaseLook | null): Promise<ReleaseLook> {
    const client = await this.accounts.signInAgain(submission, session, { prefersPresent: true });
    const releases = await client.releases(trackOf(submission));
    const { userFraction, resumeFraction } = known ?? shareOf(submission);
    return lookOf(submission, releases, { userFraction, resumeFraction }, known);
  }
}

/** @param what Google Play does instead of a change that the App Store has */
function notInGooglePlay(what: string): StoreRefusal {
  return refused(
    'release_change_unsupported',
    `Google Play ${what}, so Slipway cannot do that. Use the Play Console.`,
    { link: PLAY_CONSOLE },
  );
}
