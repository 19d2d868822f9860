import { formFactorOf } from '../../app-submissions/build-numbers/version-codes.js';
import type { SubmittedArtifactType } from '../../app-submissions/submissions/submission.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import type { FormFactor } from '../../native-builds/artifact-details/artifact-details.entity.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import type { SubmittableDestination } from './submittable-destination.js';

/** An artifact with its form factor; `null`: phones and tablets, or it was not read. */
export interface Candidate {
  readonly artifact: BuildArtifact;
  readonly formFactor: FormFactor | null;
}

/** The type of the file that goes to a destination. */
export function wantedTypeOf(destination: SubmittableDestination): SubmittedArtifactType {
  return destination.type === 'google-play' ? destination.androidBuildArtifactType : 'ipa';
}

/**
 * The file of a build that goes to a store: the only one of the wanted type, or, for Google Play, of those the one for the
 * form factor of the track.
 *
 * @param candidates the files of the build that can be downloaded
 * @returns `null`: none is of the wanted type
 * @throws InvalidRequestError when the build has several
 */
export function chooseArtifact(
  candidates: readonly Candidate[],
  destination: SubmittableDestination,
): BuildArtifact | null {
  const wanted = wantedTypeOf(destination);
  const track = destination.type === 'google-play' ? destination.googlePlayTrack : null;
  const ofType = candidates.filter(({ artifact }) => artifact.type === wanted);
  if (ofType.length === 0) return null;
  const fitting = ofType.length > 1 && track !== null ? forTrack(ofType, track) : ofType;
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only.artifact;
  if (fitting.length > 1) {
    throw unfit(
      wanted,
      `only one file goes to a ${track === null ? 'store' : 'track'}, and it has ${fitting.length}`,
    );
  }
  throw unfit(wanted, `it has ${ofType.length}, and none is for the track ${track ?? ''}`);
}

/** @returns the error about a build without a file of the wanted type */
export function missingFile(candidates: readonly Candidate[], destination: SubmittableDestination): Error {
  const wanted = wantedTypeOf(destination);
  // Symbols alone are no app.
  const types = new Set(candidates.map(({ artifact }) => artifact.type).filter((type) => type !== 'zip'));
  const setting = destination.type === 'google-play' ? ' (androidBuildArtifactType)' : '';
  return unfit(
    wanted,
    types.size === 0
      ? 'its files were deleted by the retention'
      : `it has only ${[...types].join(' and ')}, and the destination wants ${wanted}${setting}`,
  );
}

function forTrack(candidates: readonly Candidate[], track: string): Candidate[] {
  return candidates.filter(({ formFactor }) => (formFactor ?? 'phone') === formFactorOf(track));
}

function unfit(wanted: SubmittedArtifactType, because: string): Error {
  return invalidField(
    'appBuildId',
    `appBuildId must be a build with one ${wanted} for the destination: ${because}.`,
  );
}
