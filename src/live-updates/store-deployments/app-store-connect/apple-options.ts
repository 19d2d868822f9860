import { invalidField } from '../../../common/errors/app-error.js';
import type { RequestedRelease } from '../requested-release.js';

/** @throws InvalidRequestError naming a field that only Google Play knows */
export function requireAppleOptions(options: RequestedRelease): void {
  if (options.rolloutPercentage < 1) {
    throw invalidField(
      'rolloutPercentage',
      'rolloutPercentage must be 1 or absent for App Store Connect: all testers of a TestFlight group get a build.',
    );
  }
  if (options.inAppUpdatePriority !== null) throw onlyForGooglePlay('inAppUpdatePriority');
  if (options.cancelsReview) throw onlyForGooglePlay('cancelRunningReview');
  if (options.acceptsNewSigner) throw onlyForGooglePlay('acceptNewSigner');
}

function onlyForGooglePlay(field: string): Error {
  return invalidField(
    field,
    `${field} must be absent for App Store Connect: it is only for submissions to Google Play.`,
  );
}
