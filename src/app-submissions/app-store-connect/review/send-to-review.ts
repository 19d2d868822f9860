import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { ReleaseLook } from '../../releases/release-look.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { ReviewSubmission } from '../api/app-store-resources.js';
import { versionPage } from '../apple-pages.js';
import { buildOf, type Connect, type ReviewRun, type ReviewState } from '../apple-state.js';
import { factsOf } from '../changes/look-at-release.js';
import { lookOfVersion } from '../changes/release-looks.js';
import { afterFailedCall, isDone } from '../lost-response.js';
import { reviewOccupied, reviewUnanswered } from '../refusals/own-refusals.js';

/** How often it is asked whether the review has begun. */
const MAX_CONFIRMATIONS = 8;
/** How often a version that is part of another review submission is freed again. */
const MAX_RESTARTS = 3;
const RESTART_AFTER = 5;

/** States of a review submission that its version has as well. Right after the start, Apple may still show the one before. */
const VERSION_STATES: Readonly<Record<string, string>> = {
  READY_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  WAITING_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  IN_REVIEW: 'IN_REVIEW',
};

/**
 * Sends the version to the review of the App Store, which ends the submission. The answer can be lost, so the next run reads
 * before it sends again.
 */
export async function sendToReview(run: ReviewRun, { accounts }: Connect): Promise<never> {
  const client = await accounts.clientOf(run);
  // A process that was stopped may have sent it.
  if (run.submission.commitSentAt !== null) return confirm(run, client);
  const { reviewSubmissionId } = run.state;
  const known = reviewSubmissionId === undefined ? null : await client.reviews.get(reviewSubmissionId);
  // A person, or another submission of this build, has sent it.
  if (known !== null && known.state !== 'READY_FOR_REVIEW') {
    await requireVersion(run, client, known);
    return end(run, client, known);
  }
  await fillReview(run, client);
  await run.log(
    'Sending the version to the review of the App Store; the submission cannot be canceled from here on.',
  );
  await run.announceCommit();
  return send(run, client);
}

async function confirm(run: ReviewRun, client: AppStoreConnectClient): Promise<never> {
  const reviewConfirmations = (run.state.reviewConfirmations ?? 0) + 1;
  await run.log('Asking App Store Connect whether the review has begun.');
  await run.keep({ reviewConfirmations });
  const review = await client.reviews.get(run.reached('reviewSubmissionId'));
  if (review.state !== 'READY_FOR_REVIEW') return end(run, client, review);
  if (reviewConfirmations > MAX_CONFIRMATIONS) throw reviewUnanswered(pageOf(run));
  await run.log('It has not. Sending the version again.');
  return send(run, client);
}

async function send(run: ReviewRun, client: AppStoreConnectClient): Promise<never> {
  let review: ReviewSubmission;
  try {
    review = await client.reviews.submit(run.reached('reviewSubmissionId'));
  } catch (error) {
    const { reviewConfirmations = 0 } = run.state;
    return afterFailedCall(run, error, reviewConfirmations, 'Whether the review has begun is not known.');
  }
  return end(run, client, review);
}

/** Makes the review submission of the version, with nothing else in it, which is not sent yet. */
async function fillReview(run: ReviewRun, client: AppStoreConnectClient): Promise<void> {
  const { reviewSubmissionId: known } = run.state;
  const versionId = run.reached('versionId');
  const id = known ?? (await findReview(run, client)).id;
  if (known === undefined) await run.keep({ reviewSubmissionId: id });
  const items = await client.reviews.items(id);
  if (items.some((item) => item.versionId !== versionId)) throw reviewOccupied(pageOf(run));
  if (items.length > 0) return;
  try {
    await client.reviews.addVersion(id, versionId);
  } catch (error) {
    if (isDone(error)) return;
    if (!(error instanceof StoreRefusal) || error.refusal.code !== 'item_in_other_review') throw error;
    await run.explain(error);
    return beginAgain(run, run.state, error);
  }
}

/** One that was not sent is used again, because Apple deletes none; after a lost answer, it is the one that was made. */
async function findReview(run: ReviewRun, client: AppStoreConnectClient): Promise<ReviewSubmission> {
  const { platform } = buildOf(run.submission);
  const appleAppId = run.reached('appleAppId');
  const open = await client.reviews.open(appleAppId, platform);
  const unsent = open.find(({ state }) => state === 'READY_FOR_REVIEW');
  return unsent ?? client.reviews.create(appleAppId, platform);
}

/** Looks for another review submission when this one was sent without the version. */
async function requireVersion(
  run: ReviewRun,
  client: AppStoreConnectClient,
  review: ReviewSubmission,
): Promise<void> {
  const versionId = run.reached('versionId');
  if (review.versionId === versionId) return;
  const items = await client.reviews.items(review.id);
  if (items.some((item) => item.versionId === versionId)) return;
  const { reviewSubmissionId: _, ...state } = run.state;
  return beginAgain(run, state, reviewOccupied(pageOf(run)));
}

/** Begins again with the version, a few times. @throws StoreRefusal `reason`: it was tried often enough */
async function beginAgain(run: ReviewRun, state: Partial<ReviewState>, reason: StoreRefusal): Promise<never> {
  const { reviewRestarts = 0 } = state;
  if (reviewRestarts >= MAX_RESTARTS) throw reason;
  await run.save({ external: { ...state, reviewRestarts: reviewRestarts + 1 } });
  return run.tryAgain({ from: 'version', afterSeconds: RESTART_AFTER });
}

/** Ends the submission, whose review has begun. */
async function end(run: ReviewRun, client: AppStoreConnectClient, review: ReviewSubmission): Promise<never> {
  const { submission } = run;
  const { version, buildNumber } = buildOf(submission);
  const name = `${version} (${buildNumber})`.slice(0, 60);
  // From here on, nothing of it is left over in App Store Connect.
  await run.save({ commitSentAt: submission.commitSentAt ?? run.now() });
  const release = await lookAt(run, client, review);
  const message = `The version ${name} was sent to the review of the App Store.`;
  await run.log(message, release.message);
  return run.done({
    state: 'prepared',
    message,
    ...(release.link !== null && { link: release.link }),
    release,
  });
}

async function lookAt(
  run: ReviewRun,
  client: AppStoreConnectClient,
  { state }: ReviewSubmission,
): Promise<ReleaseLook> {
  const facts = factsOf(run.submission, { status: 'waiting_for_review' });
  const versionId = run.reached('versionId');
  const known = VERSION_STATES[state ?? ''];
  // Only the version shows what has happened to it in the meantime.
  if (known === undefined) return lookOfVersion(await client.appStore.version(versionId), facts);
  const values = { releaseType: null, earliestReleaseDate: null, buildId: null, phasedRelease: null };
  return lookOfVersion({ id: versionId, versionString: '', state: known, ...values }, facts);
}

function pageOf(run: ReviewRun): string {
  return versionPage(run.reached('appleAppId'), run.submission.applePlatform);
}
