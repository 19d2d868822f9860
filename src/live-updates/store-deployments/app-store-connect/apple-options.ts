import { invalidField } from '../../../common/errors/app-error.js';
import type { RequestedRelease } from '../requested-release.js';
import type { AppleDestination } from '../submittable-destination.js';
import { requireEarliestRelease } from './earliest-release.js';

/**
 * @param now by the clock of the database
 * @throws InvalidRequestError naming a field that only Google Play knows, or a date that Apple does not take
 */
export function requireAppleOptions(
  destination: AppleDestination,
  options: RequestedRelease,
  now: Date,
): void {
  if (options.rolloutPercentage < 1) {
    throw invalidField(
      'rolloutPercentage',
      destination.appleSubmitForReview
        ? 'rolloutPercentage must be 1 or absent for App Store Connect: Apple sets the shares itself, over seven days, if the destination has applePhasedRelease.'
        : 'rolloutPercentage must be 1 or absent for App Store Connect: all testers of a TestFlight group get a build.',
    );
  }
  if (options.inAppUpdatePriority !== null) throw onlyForGooglePlay('inAppUpdatePriority');
  if (options.cancelsReview) throw onlyForGooglePlay('cancelRunningReview');
  if (options.acceptsNewSigner) throw onlyForGooglePlay('acceptNewSigner');
  requireEarliestRelease(destination, options.earliestReleaseAt, now);
}

function onlyForGooglePlay(field: string): Error {
  return invalidField(
    field,
    `${field} must be absent for App Store Connect: it is only for submissions to Google Play.`,
  );
}
