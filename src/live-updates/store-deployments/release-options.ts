import type { Destination, DestinationType } from '../../app-submissions/destinations/destination.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import { storeNameOf } from './submittable-destination.js';

/** How a build is to be released in a store. */
export interface ReleaseOptions {
  /** By locale; `default` is for the default language. */
  readonly releaseNotes: Readonly<Record<string, string>> | null;
  /** Share of users, 0 to 1. */
  readonly rolloutPercentage: number;
  readonly inAppUpdatePriority: number | null;
  /** Whether it may cancel a review that runs. */
  readonly cancelsReview: boolean;
}

/** Code points of the notes of one locale. That stores count code points is an assumption: they do not document it. */
const MAX_NOTES: Readonly<Record<DestinationType, number>> = {
  'apple-app-store-connect': 4000,
  'google-play': 500,
  'firebase-app-distribution': 4000,
  'huawei-appgallery': 500,
};

/** @throws InvalidRequestError when the store of the destination does not take them */
export function requireReleaseOptions(destination: Destination, options: ReleaseOptions): void {
  requireNotes(destination, options.releaseNotes);
  const { rolloutPercentage } = options;
  if (rolloutPercentage === 0) {
    throw invalidField(
      'rolloutPercentage',
      'rolloutPercentage must be above 0 for a destination: for a release to no users, use a destination with the androidReleaseStatus draft.',
    );
  }
  if (rolloutPercentage < 1 && destination.androidReleaseStatus === 'draft') {
    throw invalidField(
      'rolloutPercentage',
      'rolloutPercentage must be 1 or absent for a destination with the androidReleaseStatus draft: a draft has no share.',
    );
  }
}

/** @throws InvalidRequestError naming the locale whose notes are too long for the store of the destination */
export function requireNotes(
  destination: Pick<Destination, 'type'>,
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
}
