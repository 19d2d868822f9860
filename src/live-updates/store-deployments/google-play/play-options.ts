import { invalidField } from '../../../common/errors/app-error.js';
import type { ReleaseOptions } from '../requested-release.js';
import type { PlayDestination } from '../submittable-destination.js';

/** @throws InvalidRequestError when Google Play does not take the share of users, or a field is for Apple */
export function requirePlayOptions(
  { androidReleaseStatus }: PlayDestination,
  { rolloutPercentage, earliestReleaseAt }: ReleaseOptions,
): void {
  if (earliestReleaseAt !== null) {
    throw invalidField(
      'appleEarliestReleaseDate',
      'appleEarliestReleaseDate must be absent for Google Play: it is only for releases in the App Store.',
    );
  }
  if (rolloutPercentage === 0) {
    throw invalidField(
      'rolloutPercentage',
      'rolloutPercentage must be above 0 for a destination: for a release to no users, use a destination with the androidReleaseStatus draft.',
    );
  }
  if (rolloutPercentage < 1 && androidReleaseStatus === 'draft') {
    throw invalidField(
      'rolloutPercentage',
      'rolloutPercentage must be 1 or absent for a destination with the androidReleaseStatus draft: a draft has no share.',
    );
  }
}
