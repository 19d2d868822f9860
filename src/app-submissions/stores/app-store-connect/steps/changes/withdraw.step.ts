import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../../common/database-clock.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { APPROVED, IN_REVIEW, isIn } from '../../app-store/version-states.js';
import { releaseGone } from '../../app-store/review-refusals.js';
import { progressOf } from '../apple-progress.js';
import { AppleReleases, lookAfter, type OpenRelease } from './apple-releases.service.js';

/** How long it is waited until Apple has ended the review. */
const MAX_MINUTES = 30;
/** Seconds between two looks: more, the longer it takes. */
const FIRST_POLL = 3;
const LAST_POLL = 20;

const CANCELABLE: readonly (string | null)[] = ['WAITING_FOR_REVIEW', 'IN_REVIEW'];
/** `UNRESOLVED_ISSUES`: it was rejected. `READY_FOR_REVIEW`: it was never sent. */
const ENDED: readonly (string | null)[] = ['COMPLETE', 'UNRESOLVED_ISSUES', 'READY_FOR_REVIEW'];

/** Takes a version out of the review. Apple does that in its own time, and may approve the version in the meantime. */
@Injectable()
export class WithdrawStep {
  constructor(private readonly releases: AppleReleases) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const open = await this.releases.open(context);
    const { reviewSubmissionId } = progressOf(open.release);
    if (reviewSubmissionId === undefined) throw releaseGone();
    const review = await open.client.reviews.get(reviewSubmissionId);
    if (ENDED.includes(review.state)) return settle(context, open);
    if (CANCELABLE.includes(review.state) && !isOver(open.version))
      await this.cancel(context, open, reviewSubmissionId);
    return wait(context, open);
  }

  private async cancel(context: StepContext, { client }: OpenRelease, id: string): Promise<void> {
    const { submission } = context;
    const progress = progressOf(submission);
    if (progress.requestedAt === undefined) {
      await context.log('Asking Apple to end the review; that cannot be canceled from here on.');
      const now = databaseNow();
      await context.save({
        commitSentAt: now,
        external: { ...progress, requestedAt: now.toISOString() },
      });
    }
    try {
      await client.reviews.cancel(id);
    } catch (error) {
      // An earlier attempt has done it, or the review has ended: the next look shows it.
      if (!(error instanceof StoreRefusal) || error.refusal.code !== 'review_not_cancelable') throw error;
      await context.log(...quoteOf('App Store Connect', error));
    }
  }
}

/** Apple has decided already, though its submission may not be complete yet. */
function isOver(version: AppVersion): boolean {
  return isIn(APPROVED, version) || version.state === 'READY_FOR_DISTRIBUTION';
}

/** The review has ended, one way or the other. */
async function settle(context: StepContext, open: OpenRelease): Promise<StepResult> {
  const { version } = open;
  // The version shows it a moment later than the submission.
  if (isIn(IN_REVIEW, version)) return wait(context, open);
  const release = lookAfter(open, version, { status: 'waiting_for_review' });
  await context.log(release.message);
  if (release.status === 'withdrawn')
    return { kind: 'done', state: 'prepared', message: release.message, release };
  const what = isOver(version)
    ? 'Apple has approved the version meanwhile'
    : 'The review has ended meanwhile';
  return {
    kind: 'failed',
    message: `${what}, so nothing was withdrawn. ${release.message}`,
    ...(release.link !== null && { link: release.link }),
    release,
  };
}

async function wait(context: StepContext, open: OpenRelease): Promise<StepResult> {
  const progress = progressOf(context.submission);
  const now = databaseNow();
  const since = progress.roomSince ?? now.toISOString();
  if (progress.roomSince === undefined) await context.save({ external: { ...progress, roomSince: since } });
  const waited = (now.getTime() - Date.parse(since)) / 1000;
  if (waited <= MAX_MINUTES * 60)
    return { kind: 'on', afterSeconds: Math.round(Math.min(LAST_POLL, FIRST_POLL + waited / 10)) };
  const release = lookAfter(open, open.version, { status: 'waiting_for_review' });
  return {
    kind: 'failed',
    message: `Apple has not ended the review for ${MAX_MINUTES} minutes. See in App Store Connect where the version is, and try again if it is still in review.`,
    ...(release.link !== null && { link: release.link }),
    release,
  };
}
