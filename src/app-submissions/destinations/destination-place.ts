import type { Destination } from './destination.entity.js';

/** What decides where in a store the builds of a destination arrive. */
export type DestinationPlace = Pick<
  Destination,
  'type' | 'androidPackageName' | 'googlePlayTrack' | 'appleAppId' | 'appleSubmitForReview'
>;

/**
 * Whether builds of both arrive at the same place: a track of an app in Google Play, or TestFlight or the App Store for an app
 * of App Store Connect. A destination without `appleAppId` is for any app. Keys do not matter: a store knows a package or a
 * bundle id once, with whatever key.
 */
export function leadToSamePlace(one: DestinationPlace, other: DestinationPlace): boolean {
  if (one.type !== other.type) return false;
  switch (one.type) {
    case 'google-play':
      return (
        one.androidPackageName === other.androidPackageName &&
        // Whether Google compares the case of names is not documented.
        one.googlePlayTrack?.toLowerCase() === other.googlePlayTrack?.toLowerCase()
      );
    case 'apple-app-store-connect':
      return (
        one.appleSubmitForReview === other.appleSubmitForReview &&
        (one.appleAppId === null || other.appleAppId === null || one.appleAppId === other.appleAppId)
      );
    // Nothing is submitted there yet.
    case 'firebase-app-distribution':
    case 'huawei-appgallery':
      return false;
  }
}

/**
 * Whether builds of a destination arrive at the place of another one, maybe on their way: those for the App Store are in
 * TestFlight before, and in its groups.
 */
export function covers(one: DestinationPlace, other: DestinationPlace): boolean {
  return leadToSamePlace(one, other) || leadToSamePlace({ ...one, appleSubmitForReview: false }, other);
}

/** Whether a change lets a destination lead elsewhere, or to more apps. */
export function hasMoved(before: DestinationPlace, after: DestinationPlace): boolean {
  return !leadToSamePlace(before, after) || before.appleAppId !== after.appleAppId;
}
