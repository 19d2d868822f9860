import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { SubmissionRun } from '../../flow/submission-run.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppVersion, ReviewSubmission } from '../api/app-store-resources.js';
import { versionPage } from '../apple-pages.js';
import { type ChangeState, type ReviewRun, stateOf } from '../apple-state.js';
import { isNotFound } from '../lost-response.js';
import { reviewNotEnded } from '../refusals/own-refusals.js';

/** How long flows wait until Apple has ended a review. */
export const MAX_MINUTES = 30;
/** Seconds between two looks: more, the longer it takes. */
const FIRST_POLL = 3;
const LAST_POLL = 20;
/** Review submissions that one submission cancels. */
const MAX_CANCELS = 3;

/** Takes a version out of the review, so that the next one can go there. This has ended when the version can be changed. */
export async function takeOutOfReview(
  run: ReviewRun,
  client: AppStoreConnectClient,
  version: AppVersion,
): Promise<never> {
  const review = await reviewOf(run, client, version.id);
  if (review !== null && isCancelable(review)) {
    const line = `The version ${version.versionString} is in the review of the App Store. Taking it out, as appleRejectIfPossible of the destination says.`;
    await cancel(run, client, review, line);
  }
  return waitForRoom(run);
}

/**
 * Frees a version that can be changed: from a submission that was not sent, as that freezes its build, or from one that was
 * rejected. Returns when it is free.
 */
export async function freeVersion(
  run: ReviewRun,
  client: AppStoreConnectClient,
  version: AppVersion,
): Promise<void> {
  const review = await reviewOf(run, client, version.id);
  if (review === null) return;
  if (review.state === 'READY_FOR_REVIEW') {
    await removeVersion(client, review.id, version.id);
    await run.log('Took the version out of a submission for review that was not sent, to change it.');
  } else if (isCancelable(review)) {
    const line = 'The version is still part of a submission for review that has ended. Canceling that one.';
    await cancel(run, client, review, line);
  }
  return waitForRoom(run);
}

/** The open review submission that a version is in; `null`: none. */
export async function reviewOf(
  run: ReviewRun,
  client: AppStoreConnectClient,
  versionId: string,
): Promise<ReviewSubmission | null> {
  const platform = run.submission.applePlatform ?? 'ios';
  const open = await client.reviews.open(run.reached('appleAppId'), platform);
  const named = open.find((review) => review.versionId === versionId);
  if (named !== undefined) return named;
  for (const review of open.filter((one) => one.versionId === null)) {
    const items = await client.reviews.items(review.id);
    if (items.some((item) => item.versionId === versionId)) return review;
  }
  return null;
}

/** Waits until the version can be changed. @throws StoreRefusal when it has waited for too long */
export async function waitForRoom(run: ReviewRun): Promise<never> {
  await waitForEnd(run);
  throw reviewNotEnded(MAX_MINUTES, versionPage(run.reached('appleAppId'), run.submission.applePlatform));
}

/** Looks again soon, as Apple ends a review in its own time. @returns when it has waited for `MAX_MINUTES` */
export async function waitForEnd(run: SubmissionRun<Pick<ChangeState, 'roomSince'>>): Promise<void> {
  const { roomSince = run.now().toISOString() } = run.state;
  const waited = (run.now().getTime() - Date.parse(roomSince)) / 1000;
  if (waited > MAX_MINUTES * 60) return;
  if (run.state.roomSince === undefined) await run.keep({ roomSince });
  return run.giveWay(Math.round(Math.min(LAST_POLL, FIRST_POLL + waited / 10)));
}

/** Asks Apple to end a review. One that cannot be canceled was canceled already, or has ended: the next look shows it. */
export async function cancelReview(
  run: SubmissionRun,
  client: AppStoreConnectClient,
  id: string,
): Promise<void> {
  try {
    await client.reviews.cancel(id);
  } catch (error) {
    if (!(error instanceof StoreRefusal) || error.refusal.code !== 'review_not_cancelable') throw error;
    await run.quote(error);
  }
}

/** Takes the version of a submission that has ended out of a review submission that was not sent. Apple deletes none. */
export async function leaveReview(submission: Submission, client: AppStoreConnectClient): Promise<void> {
  const { reviewSubmissionId, versionId } = stateOf(submission);
  if (reviewSubmissionId === undefined || versionId === undefined) return;
  const { state } = await client.reviews.get(reviewSubmissionId);
  if (state === 'READY_FOR_REVIEW') await removeVersion(client, reviewSubmissionId, versionId);
}

/** Once for each: after a lost answer, the next look shows its state. */
async function cancel(
  run: ReviewRun,
  client: AppStoreConnectClient,
  review: ReviewSubmission,
  line: string,
): Promise<void> {
  const { canceledReviews = [] } = run.state;
  if (!canceledReviews.includes(review.id)) {
    if (canceledReviews.length >= MAX_CANCELS) return;
    await run.log(line);
    await run.keep({ canceledReviews: [...canceledReviews, review.id] });
  }
  await cancelReview(run, client, review.id);
}

/** Takes a version out of a review submission that was not sent. */
async function removeVersion(
  client: AppStoreConnectClient,
  reviewId: string,
  versionId: string,
): Promise<void> {
  const items = await client.reviews.items(reviewId);
  for (const item of items.filter((one) => one.versionId === versionId)) {
    try {
      await client.reviews.removeItem(item.id);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isCancelable({ state }: ReviewSubmission): boolean {
  return state === 'WAITING_FOR_REVIEW' || state === 'IN_REVIEW' || state === 'UNRESOLVED_ISSUES';
}
