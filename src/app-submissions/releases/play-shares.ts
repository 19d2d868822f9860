import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import { inPercent } from './in-percent.js';
import type { ReleaseStatus, StoreRelease } from './store-release.entity.js';

const NOT_SHARED: Readonly<Partial<Record<ReleaseStatus, string>>> = {
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
export function requirePlayShare(
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
    throw cannot('all users get it already. Submit a build with a higher version code instead');
  }
  throw cannot(NOT_SHARED[status] ?? 'Google Play does not say where it is');
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

/** @param why without a full stop */
function cannot(why: string): ConflictError {
  return new ConflictError(`The share of the release cannot be changed: ${why}.`, 'release_state');
}
