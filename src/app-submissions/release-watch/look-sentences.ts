import type { ReleaseLook } from '../releases/release-look.js';
import type { ReleaseStatus } from '../releases/store-release.entity.js';

const REVIEWS: readonly ReleaseStatus[] = ['waiting_for_review', 'in_review'];
/** Days from which a review takes unusually long. */
const LONG_REVIEW = 7;
const DAY = 24 * 3600 * 1000;

/** What is said about a release: the sentence of the store, and about a review that takes long, what to do. */
export function sentenceOf(
  { status, message }: Pick<ReleaseLook, 'status' | 'message'>,
  since: Date,
  now: Date,
): string {
  const isLong = REVIEWS.includes(status) && now.getTime() - since.getTime() >= LONG_REVIEW * DAY;
  if (!isLong) return message;
  return `${message} The review has taken more than ${LONG_REVIEW} days: ask the support of the store.`;
}

/** What is said when a status lasts too long. */
export function stoppedSentence(message: string): string {
  return `${message} Slipway has stopped asking the store after 90 days: look there.`;
}

/** Why the last look has failed. @param why one sentence @param isLast whether Slipway gives up */
export function failureSentence(why: string, isLast: boolean): string {
  return isLast ? `${why} Slipway has stopped asking the store where the release is.` : why;
}
