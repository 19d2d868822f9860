import type { DestinationType } from '../../app-submissions/destinations/destination.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import { requireAppleNotes } from './app-store-connect/apple-notes.js';
import { requireAppleOptions } from './app-store-connect/apple-options.js';
import { requirePlayOptions } from './google-play/play-options.js';
import type { RequestedRelease } from './requested-release.js';
import { storeNameOf, type SubmittableDestination } from './submittable-destination.js';

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
    const length = [...text].length;
    if (length <= most) continue;
    throw invalidField(
      'releaseNotes',
      `releaseNotes.${locale} must be at most ${most} characters long for ${storeNameOf(destination)}: it has ${length}.`,
    );
  }
  if (destination.type === 'apple-app-store-connect') requireAppleNotes(destination, notes ?? {});
}
