import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../common/database-clock.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import { isDefinite } from '../../refusals/is-definite.js';
import { refusalOfError } from '../../refusals/retry-delay.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { unanswered } from '../refusals/own-refusals.js';
import type { StepContext, StepResult } from '../../store.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { trackOf } from './check.step.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf, progressOf, withoutEdit } from './play-progress.js';
import { quoteOf, refused } from '../../refusals/refused.js';
import { notSent, sent } from '../track-releases/commit-results.js';
import { type PlayShare, shareOf } from '../track-releases/release-looks.js';
import { isNotSent, isShown } from '../track-releases/release-of.js';
import { PlayLooks } from './play-looks.service.js';

/** How often the commit is sent whose answer was lost, and the release looked for. */
const MAX_CONFIRMATIONS = 6;
const CONFIRM_AFTER = 5;

/** Publishes the edit. Its answer can be lost, so the next run asks first whether it was published. */
@Injectable()
export class CommitStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly looks: PlayLooks,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    // A process that was stopped may have sent it.
    if (submission.commitSentAt !== null) return { kind: 'next', step: 'confirm' };
    const client = await this.accounts.clientOf(context);
    const { isNotSentForReview = false } = progressOf(submission);
    await context.log(
      'Committing the edit. Changes that wait in the Play Console without having been sent go with it.',
      isNotSentForReview
        ? 'A person must send the changes for review afterwards.'
        : submission.cancelsReview
          ? 'A review that runs is canceled, as the request says.'
          : 'A review that runs is not canceled: then Google Play refuses the commit.',
    );
    await context.save({ commitSentAt: databaseNow() });
    return this.send(context, client);
  }

  /**
   * After a commit whose answer was lost: an edit that still answers was not committed. One that is gone was, if its
   * release is there; otherwise something else has ended it.
   *
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async confirm(context: StepContext): Promise<StepResult> {
    const { submission, session } = context;
    if (submission.action === 'set-rollout') return this.readAgain(context);
    const client = await this.accounts.signInAgain(submission, session);
    const confirmations = (progressOf(submission).confirmations ?? 0) + 1;
    await context.log('Asking Google Play whether the edit was committed.');
    await context.save({ external: { ...progressOf(submission), confirmations } });
    if (await this.isOpen(context, client)) {
      if (confirmations > MAX_CONFIRMATIONS) {
        await context.save({ commitSentAt: null });
        throw unanswered();
      }
      await context.log('It was not committed. Committing it again.');
      return this.send(context, client);
    }
    const releases = await client.releases(trackOf(submission));
    // Shares of users do not show: what the track had before, the next edit compares.
    const { wasShown = false } = progressOf(submission);
    if (!wasShown && isShown(submission, releases))
      return this.done(context, client, isNotSent(submission, releases));
    if (confirmations < MAX_CONFIRMATIONS / 2) return { kind: 'again', afterSeconds: CONFIRM_AFTER };
    await context.save({ commitSentAt: null });
    throw lost();
  }

  /** Whether a share was set shows in an edit only: another one, because this one has the change, committed or not. */
  private async readAgain(context: StepContext): Promise<StepResult> {
    await context.log('Asking Google Play whether the change was committed.');
    await context.save({ external: { ...withoutEdit(progressOf(context.submission)) } });
    return { kind: 'next', step: 'set-rollout' };
  }

  private async isOpen({ submission }: StepContext, client: GooglePlayClient): Promise<boolean> {
    try {
      await client.track(editOf(submission), trackOf(submission));
      return true;
    } catch (error) {
      const isGone =
        error instanceof StoreRefusal &&
        (error.refusal.does === 'new-edit' ||
          error.refusal.code === 'edit_committed' ||
          error.refusal.code === 'store_refused');
      if (isGone) return false;
      throw error;
    }
  }

  private async send(context: StepContext, client: GooglePlayClient): Promise<StepResult> {
    const { submission } = context;
    const { isNotSentForReview: changesNotSentForReview = false } = progressOf(submission);
    const { cancelsReview } = submission;
    try {
      await client.commit(editOf(submission), { cancelsReview, changesNotSentForReview });
    } catch (error) {
      const refusal = refusalOfError(error);
      if (refusal === null) throw error;
      if (isMaybeCommitted(refusal, submission)) {
        await context.log(...quoteOf('Google Play', refusal));
        return { kind: 'next', step: 'confirm' };
      }
      if (isDefinite(refusal)) {
        await context.save({ commitSentAt: null });
        throw error;
      }
      await context.log(
        refusal.message,
        ...quoteOf('Google Play', refusal),
        'Whether the commit took effect is not known.',
      );
      return { kind: 'again', step: 'confirm', afterSeconds: CONFIRM_AFTER };
    }
    return this.done(context, client, changesNotSentForReview);
  }

  private async done(
    context: StepContext,
    client: GooglePlayClient,
    isNotSentForReview: boolean,
  ): Promise<StepResult> {
    const { submission } = context;
    const result = isNotSentForReview ? notSent(submission) : sent(submission);
    await context.log(result.message);
    const release = await this.looks.afterwards(client, submission, shareAfter(submission));
    return { kind: 'done', ...result, release };
  }
}

/** The share of users that the release has now. */
function shareAfter(submission: Submission): PlayShare {
  const { action, userFraction } = submission;
  if (action !== 'set-rollout') return shareOf(submission);
  const { resumeFraction = null } = progressOf(submission);
  return { userFraction, resumeFraction: userFraction === 0 ? resumeFraction : null };
}

/** Whether an earlier commit of the edit, whose answer was lost, may have published it. */
function isMaybeCommitted({ refusal }: StoreRefusal, submission: Submission): boolean {
  if (refusal.code === 'edit_committed') return true;
  return refusal.does === 'new-edit' && (progressOf(submission).confirmations ?? 0) > 0;
}

function lost(): StoreRefusal {
  return refused(
    'edit_lost',
    'The edit is gone, and its release is not on the track. Slipway begins again with a new one; if that happens too often, make no changes to the app elsewhere and submit again.',
    { retry: 'again', does: 'new-edit' },
  );
}
