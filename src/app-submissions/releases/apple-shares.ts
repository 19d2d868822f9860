import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { ReleaseStatus, StoreRelease } from './store-release.entity.js';

const NOT_SHARED: Readonly<Partial<Record<ReleaseStatus, string>>> = {
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
export function requireAppleShare(
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
  if (!isInPhases) throw cannot(NOT_SHARED[status] ?? 'App Store Connect does not say where it is');
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
function cannot(why: string): ConflictError {
  return new ConflictError(`The share of the release cannot be changed: ${why}.`, 'release_state');
}
