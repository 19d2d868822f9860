import type { ReleaseStatus } from '../../app-submissions/releases/store-release.entity.js';
import type { Submission } from '../../app-submissions/submissions/submission.entity.js';
import { ConflictError } from '../../common/errors/app-error.js';

/** A submission to the same destination, of the same package and version code. */
export type EarlierSubmission = Pick<Submission, 'id' | 'action' | 'state' | 'versionName' | 'sha256'> & {
  /** Where its release is; `null`: the store has none. */
  readonly releaseStatus: ReleaseStatus | null;
};

/** A file, and its version as a store compares it. */
export type SubmittedVersion = Pick<Submission, 'type' | 'versionName' | 'versionCode' | 'sha256'>;

/** What became of releases whose version may be submitted again. */
const ENDED_WITHOUT_USERS: readonly (ReleaseStatus | null)[] = ['rejected', 'withdrawn', 'removed'];

/**
 * A version goes to a destination once with success. Failed and canceled submissions do not count, nor promotions, nor
 * releases that the store has rejected or lost, or that were taken out of the review.
 *
 * @param earlier in any order
 * @throws ConflictError `already_submitted`
 */
export function requireNotSubmitted(version: SubmittedVersion, earlier: readonly EarlierSubmission[]): void {
  const same = earlier.filter(
    ({ action, versionName }) =>
      action === 'submit' && (version.type === 'google-play' || versionName === version.versionName),
  );
  const done = same.find(
    ({ state, releaseStatus }) => SUCCEEDED.includes(state) && !ENDED_WITHOUT_USERS.includes(releaseStatus),
  );
  if (done === undefined) return;
  const before = `The version ${inWords(version)} was submitted to this destination before`;
  const message =
    done.sha256 === version.sha256
      ? `${before}, by the deployment ${done.id}: set force to true to submit it again.`
      : `${before}, with another file, by the deployment ${done.id}. Raise ${numberOf(version)}, build again and submit that build.`;
  throw new ConflictError(message, 'already_submitted');
}

/** States in which the store has the release. */
const SUCCEEDED: readonly Submission['state'][] = [
  'prepared',
  'failed_with_action_required',
  'finished_manually',
];

function inWords({ type, versionName, versionCode }: SubmittedVersion): string {
  return type === 'google-play' || versionName === null ? versionCode : `${versionName} (${versionCode})`;
}

function numberOf({ type }: SubmittedVersion): string {
  return type === 'google-play' ? 'versionCode' : 'CFBundleVersion';
}
