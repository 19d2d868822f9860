import type { DestinationType } from '../../app-submissions/destinations/destination.entity.js';
import { storeText } from '../../app-submissions/calls/store-text.js';
import { invalidField } from '../../common/errors/app-error.js';
import { requireAppleNotes } from './apple-notes.js';
import type { RequestedRelease, ReleaseOptions } from './requested-release.js';
import {
  storeNameOf,
  type SubmittableDestination,
  type AppleDestination,
  isScheduled,
  type PlayDestination,
} from './submittable-destination.js';

const EARLIEST_RELEASE = 'appleEarliestReleaseDate';
const HOUR = 3_600_000;

/** Code points of the notes of one locale. That stores count code points is an assumption: they do not document it. */
const MAX_NOTES: Readonly<Record<DestinationType, number>> = {
  'apple-app-store-connect': 4000,
  'google-play': 500,
  'firebase-app-distribution': 4000,
  'huawei-appgallery': 500,
};

/**
 * @param now by the clock of the database
 * @throws InvalidRequestError when the store of the destination does not take them
 */
export function requireReleaseOptions(
  destination: SubmittableDestination,
  options: RequestedRelease,
  now: Date,
): void {
  requireNotes(destination, options.releaseNotes);
  if (destination.type === 'google-play') requirePlayOptions(destination, options);
  else requireAppleOptions(destination, options, now);
}

/** @throws InvalidRequestError naming the locale whose notes the store of the destination does not take */
export function requireNotes(
  destination: SubmittableDestination,
  notes: Readonly<Record<string, string>> | null,
): void {
  const most = MAX_NOTES[destination.type];
  for (const [locale, text] of Object.entries(notes ?? {})) {
    const length = [...storeText(text)].length;
    if (length <= most) continue;
    throw invalidField(
      'releaseNotes',
      `releaseNotes.${locale} must be at most ${most} characters long for ${storeNameOf(destination)}: it has ${length}.`,
    );
  }
  if (destination.type === 'apple-app-store-connect') requireAppleNotes(destination, notes ?? {});
}

/**
 * @param now by the clock of the database
 * @throws InvalidRequestError naming a field that only Google Play knows, or a date that Apple does not take
 */
function requireAppleOptions(destination: AppleDestination, options: RequestedRelease, now: Date): void {
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

/**
 * @param at when the version is to go live at the earliest; `null`: the request says nothing
 * @param now by the clock of the database
 * @throws InvalidRequestError when the destination wants no date, or another one: Apple takes whole hours
 */
export function requireEarliestRelease(destination: AppleDestination, at: Date | null, now: Date): void {
  if (at === null) {
    if (!isScheduled(destination)) return;
    throw invalidField(
      EARLIEST_RELEASE,
      `${EARLIEST_RELEASE} is required: the destination releases at a date (appleReleaseType scheduled).`,
    );
  }
  if (!isScheduled(destination)) {
    throw invalidField(
      EARLIEST_RELEASE,
      `${EARLIEST_RELEASE} must be absent: it is only for destinations with appleSubmitForReview and the appleReleaseType scheduled.`,
    );
  }
  if (at.getTime() % HOUR !== 0) {
    throw invalidField(
      EARLIEST_RELEASE,
      `${EARLIEST_RELEASE} must be a whole hour in UTC, such as ${nextHour(at)}: Apple takes no others.`,
    );
  }
  if (at <= now) throw invalidField(EARLIEST_RELEASE, `${EARLIEST_RELEASE} must be in the future.`);
}

function nextHour(at: Date): string {
  return new Date(Math.ceil(at.getTime() / HOUR) * HOUR).toISOString();
}

/** @throws InvalidRequestError when Google Play does not take the share of users, or a field is for Apple */
function requirePlayOptions(
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
