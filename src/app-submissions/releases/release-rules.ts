import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import type { ReleaseChange } from '../submissions/submission-creation.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { inPercent } from './release-look.js';
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
function inWords(status: ReleaseStatus): string {
  return status.replaceAll('_', ' ');
}

/** @param why without a full stop */
function cannot(what: 'released' | 'withdrawn', why: string): ConflictError {
  return new ConflictError(`The release cannot be ${what}: ${why}.`, 'release_state');
}

const PLAY_NOT_SHARED: Readonly<Partial<Record<ReleaseStatus, string>>> = {
  draft: 'it is a draft. Roll it out in the Play Console first',
  not_sent_for_review:
    'it was not sent for review. Send it in the Play Console under "Publishing overview", then mark the deployment as done',
  waiting_for_review:
    'it waits for its review. Google changes no share before the review is over, so wait for it',
  in_review: 'it is in review. Google changes no share during a review, so wait for it',
  rejected: 'Google has rejected it. Read why in the Play Console, and submit a build that mends it',
  approved: 'it is approved and not published. Publish it in the Play Console under "Publishing overview"',
  replaced: 'another release has taken its place',
  removed: 'the track does not show it any more. Submit the build again',
};

/**
 * Whether a release of Google Play gets another share of users. Between 0 and 1 it only grows; 0 halts it, and 1 completes it.
 *
 * @param wanted 0 to 1
 * @returns `false`: it has the share already
 * @throws InvalidRequestError a share below the present one, or below the one that the release had before it was halted
 * @throws ConflictError `release_state`
 */
function requirePlayShare(
  { status, userFraction, resumeFraction }: Pick<StoreRelease, 'status' | 'userFraction' | 'resumeFraction'>,
  wanted: number,
): boolean {
  if (status === 'halted')
    return wanted > 0 && requireAtLeast(resumeFraction ?? userFraction ?? 0, wanted, true);
  if (status === 'rolling_out') {
    if (wanted === 0) return true;
    return wanted !== userFraction && requireAtLeast(userFraction ?? 0, wanted, false);
  }
  if (status === 'released') {
    // A person has finished it in the Play Console, at a share that Google shows in an edit only.
    if (userFraction === null) return true;
    if (wanted === 1) return false;
    throw cannotShare('all users get it already. Submit a build with a higher version code instead');
  }
  throw cannotShare(PLAY_NOT_SHARED[status] ?? 'Google Play does not say where it is');
}

/** @throws InvalidRequestError */
function requireAtLeast(least: number, wanted: number, isHalted: boolean): true {
  if (wanted >= least) return true;
  throw invalidField(
    'rolloutPercentage',
    isHalted
      ? `rolloutPercentage must be at least ${least}, the share that the release had before it was halted: Google Play takes it from no user.`
      : `rolloutPercentage must be above ${least} (${inPercent(least)} of the users have the release), or 0 to halt it: Google Play takes it from no user.`,
  );
}

const APPLE_NOT_SHARED: Readonly<Partial<Record<ReleaseStatus, string>>> = {
  draft: 'it was not sent for review. Its phased release begins when it goes live',
  not_sent_for_review: 'it was not sent for review. Its phased release begins when it goes live',
  waiting_for_review: 'it waits for its review. Its phased release begins when it goes live',
  in_review: 'it is in review. Its phased release begins when it goes live',
  rejected: 'Apple has rejected it. Read why in App Store Connect, mend it, and submit again',
  withdrawn: 'it was taken out of the review. Submit the build again',
  approved: 'it is approved and not live. Its phased release begins when it goes live, so release it first',
  released: 'all users get it already. Submit a build with a higher version instead',
  replaced: 'another version has taken its place',
  removed: 'App Store Connect does not show it any more. Submit the build again',
};

/**
 * Whether a phased release of the App Store is changed: 0 pauses it, the share that it had before the pause resumes it, 1
 * completes it. Apple sets all other shares itself, over seven days.
 *
 * @param wanted 0 to 1
 * @returns `false`: it has the share already
 * @throws InvalidRequestError another share, or there is no phased release
 * @throws ConflictError `release_state`
 */
function requireAppleShare(
  {
    submitsForReview,
    isPhased,
    status,
    userFraction,
    resumeFraction,
  }: Pick<Submission, 'submitsForReview' | 'isPhased'> &
    Pick<StoreRelease, 'status' | 'userFraction' | 'resumeFraction'>,
  wanted: number,
): boolean {
  if (!submitsForReview) throw invalid('cannot be changed in TestFlight: all testers of a group get a build');
  // A person can begin one in App Store Connect.
  const isInPhases = status === 'rolling_out' || status === 'paused';
  if (!isPhased && !isInPhases) {
    throw invalid(
      'cannot be changed without a phased release: the App Store gives the version to all users at once. Set applePhasedRelease at the destination before the next release',
    );
  }
  const before = isInPhases ? (resumeFraction ?? userFraction) : null;
  if (wanted !== 0 && wanted !== 1 && wanted !== before) throw invalid(takes(status, before));
  if (status === 'released' && wanted === 1) return false;
  if (!isInPhases)
    throw cannotShare(APPLE_NOT_SHARED[status] ?? 'App Store Connect does not say where it is');
  if (wanted === 1) return true;
  return (wanted === 0) !== (status === 'paused');
}

function takes(status: ReleaseStatus, before: number | null): string {
  const resumes = status === 'paused' && before !== null ? `, ${before} to resume the phased release` : '';
  return `must be 0 to pause the phased release${resumes} or 1 to complete it: Apple sets the shares itself`;
}

/** @param what without a full stop */
function invalid(what: string): Error {
  return invalidField('rolloutPercentage', `rolloutPercentage ${what}.`);
}

/** @param why without a full stop */
function cannotShare(why: string): ConflictError {
  return new ConflictError(`The share of the release cannot be changed: ${why}.`, 'release_state');
}
