import { ConflictError } from '../../common/errors/app-error.js';
import type { ReleaseChange } from '../submissions/new-submission.js';
import type { Submission } from '../submissions/submission.entity.js';
import { requireAppleShare } from './apple-shares.js';
import { requirePlayShare } from './play-shares.js';
import type { ReleaseStatus, StoreRelease } from './store-release.entity.js';

/** What decides whether a release can be changed. */
export type ChangedRelease = Pick<Submission, 'type' | 'submitsForReview' | 'isPhased' | 'appleReleaseType'> &
  Pick<StoreRelease, 'status' | 'storeStatus' | 'userFraction' | 'resumeFraction'>;

/** A change, without the one who wants it. */
export type WantedChange = Pick<ReleaseChange, 'action' | 'userFraction'>;

/**
 * Whether a release has to be changed, as far as is known before the store is asked.
 *
 * @returns `false`: it is as wanted already
 * @throws InvalidRequestError a share that the store does not take
 * @throws ConflictError `release_state`: not in this status, with what to do instead
 */
export function requireChangeable(release: ChangedRelease, change: WantedChange): boolean {
  const { action, userFraction = 1 } = change;
  if (action === 'release') return requireReleasable(release);
  if (action === 'withdraw') return requireWithdrawable(release);
  return release.type === 'google-play'
    ? requirePlayShare(release, userFraction)
    : requireAppleShare(release, userFraction);
}

/** Statuses in which users get a version of the App Store, or got it. */
const LIVE: readonly ReleaseStatus[] = ['rolling_out', 'paused', 'released'];

/** States of Apple in which a version goes live automatically. */
const GOES_LIVE = ['PROCESSING_FOR_DISTRIBUTION', 'READY_FOR_DISTRIBUTION'];

const NOT_RELEASABLE: Readonly<Partial<Record<ReleaseStatus, string>>> = {
  draft: 'it was not sent for review. Submit the build for review first',
  not_sent_for_review: 'it was not sent for review. Send it in App Store Connect, or submit the build again',
  waiting_for_review: 'it waits for its review. Release it once Apple has approved it',
  in_review: 'it is in review. Release it once Apple has approved it',
  rejected: 'Apple has rejected it. Read why in App Store Connect, mend it, and submit again',
  withdrawn: 'it was taken out of the review. Submit the build again',
  replaced: 'another version has taken its place',
  removed: 'App Store Connect does not show it any more. Submit the build again',
};

/** @throws ConflictError unless it is an approved version of the App Store, or one that is live */
function requireReleasable({ type, submitsForReview, status, ...release }: ChangedRelease): boolean {
  if (type === 'google-play') {
    throw cannot(
      'released',
      'Google Play offers that to no program. With managed publishing, publish it in the Play Console under "Publishing overview"',
    );
  }
  if (!submitsForReview) {
    throw cannot(
      'released',
      'it went to TestFlight only. Submit the build to a destination with appleSubmitForReview',
    );
  }
  if (LIVE.includes(status) || GOES_LIVE.includes(release.storeStatus ?? '')) return false;
  if (status !== 'approved') throw cannot('released', NOT_RELEASABLE[status] ?? `it is ${inWords(status)}`);
  if (release.appleReleaseType === 'after-approval' && release.storeStatus !== 'PENDING_DEVELOPER_RELEASE') {
    throw cannot('released', 'it goes live by itself after its approval. Wait for Apple');
  }
  return true;
}

const NOT_WITHDRAWABLE: Readonly<Partial<Record<ReleaseStatus, string>>> = {
  draft: 'it is in no review',
  not_sent_for_review: 'it is in no review',
  rejected: 'Apple has rejected it, and the review is over. Mend it, and submit again',
  approved:
    'Apple has approved it. Do not release it, or take it back in App Store Connect with "Cancel this release"',
  testing: 'its review is over, and testers have it',
  rolling_out: 'users have it. Set its share to 0, which pauses it',
  paused: 'users have it, and it is paused already',
  released: 'it is released. Submit a build with a higher version instead',
  replaced: 'another version has taken its place',
  removed: 'App Store Connect does not show it any more',
};

/** @throws ConflictError unless it is in a review of the App Store, or was taken out of it */
function requireWithdrawable({ type, submitsForReview, status }: ChangedRelease): boolean {
  if (type === 'google-play') {
    throw cannot(
      'withdrawn',
      'Google Play offers that to no program. Cancel the review in the Play Console under "Publishing overview"',
    );
  }
  if (!submitsForReview) {
    throw cannot(
      'withdrawn',
      'Apple offers that for no review of TestFlight. Expire the build in App Store Connect',
    );
  }
  if (status === 'withdrawn') return false;
  if (status === 'waiting_for_review' || status === 'in_review') return true;
  throw cannot('withdrawn', NOT_WITHDRAWABLE[status] ?? `it is ${inWords(status)}`);
}

/** The status in words, such as `not sent for review`. */
export function inWords(status: ReleaseStatus): string {
  return status.replaceAll('_', ' ');
}

/** @param why without a full stop */
function cannot(what: 'released' | 'withdrawn', why: string): ConflictError {
  return new ConflictError(`The release cannot be ${what}: ${why}.`, 'release_state');
}
