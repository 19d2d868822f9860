import type { Submission } from '../../app-submissions/submissions/submission.entity.js';
import { formFactorOf } from '../../app-submissions/build-numbers/version-codes.js';
import type { PlayDestination } from './submittable-destination.js';

/** A submission with success of the package of a destination. */
export type PromotableSubmission = Pick<
  Submission,
  | 'artifactId'
  | 'artifactType'
  | 'blobId'
  | 'sizeInBytes'
  | 'sha256'
  | 'packageName'
  | 'versionName'
  | 'versionCode'
  | 'signerSha256'
> & {
  readonly track: string;
  /** Whether it was one of the build. */
  readonly isOfBuild: boolean;
};

/**
 * The submission that has brought a file to another track: a release on the track of the destination is a promotion then, and
 * needs no upload.
 *
 * @param submissions the newest first
 * @param sha256 of the file of the build for the destination; `null`: it is gone, so the file is the one of the build that
 *   was submitted for devices of the same kind
 * @returns `null`: Google Play does not have the file as far as Slipway knows
 */
export function findPromotable(
  submissions: readonly PromotableSubmission[],
  { googlePlayTrack, androidPackageName }: PlayDestination,
  sha256: string | null,
): PromotableSubmission | null {
  const found = submissions.find(
    ({ track, packageName, isOfBuild, ...submission }) =>
      track !== googlePlayTrack &&
      packageName === androidPackageName &&
      (sha256 === null
        ? isOfBuild && formFactorOf(track) === formFactorOf(googlePlayTrack)
        : submission.sha256 === sha256),
  );
  return found ?? null;
}
