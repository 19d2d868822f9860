import {
  type Destination,
  type DestinationType,
  MAX_BETA_GROUPS,
} from '../../app-submissions/destinations/destination.entity.js';
import { invalidField } from '../../common/errors/app-error.js';

/** A destination that says everything that a submission to Google Play needs. */
export type PlayDestination = Destination & {
  readonly type: 'google-play';
  readonly androidPackageName: string;
  readonly googlePlayTrack: string;
  readonly googleKeyId: string;
};

/** A destination that says everything that a submission to App Store Connect needs. Without an issuer, the key is that of one user. */
export type AppleDestination = Destination & {
  readonly type: 'apple-app-store-connect';
  readonly appleKeyFileId: string;
  readonly appleApiKeyId: string;
};

export type SubmittableDestination = PlayDestination | AppleDestination;

const NAMES: Readonly<Record<DestinationType, string>> = {
  'apple-app-store-connect': 'App Store Connect',
  'google-play': 'Google Play',
  'firebase-app-distribution': 'Firebase App Distribution',
  'huawei-appgallery': 'Huawei AppGallery',
};

/** The store of a destination, as people call it. */
export function storeNameOf({ type }: Pick<Destination, 'type'>): string {
  return NAMES[type];
}

/** Whether versions go live at a date that each deployment names. */
export function isScheduled({ type, appleSubmitForReview, appleReleaseType }: Destination): boolean {
  return type === 'apple-app-store-connect' && appleSubmitForReview && appleReleaseType === 'scheduled';
}

/** @throws InvalidRequestError when builds cannot be submitted to it: its store is not supported, or a field is missing */
export function requireSubmittable(destination: Destination): SubmittableDestination {
  const { type } = destination;
  if (type === 'google-play') return requirePlay(destination);
  if (type === 'apple-app-store-connect') return requireApple(destination);
  throw unfit(
    `must be a destination of the type google-play or apple-app-store-connect: submissions to ${NAMES[type]} (${type}) are not supported yet.`,
  );
}

function requirePlay(destination: Destination): PlayDestination {
  const { androidPackageName, googlePlayTrack, googleKeyId } = destination;
  if (googleKeyId === null) throw incomplete('appGoogleServiceAccountKeyId');
  if (androidPackageName === null) throw incomplete('androidPackageName');
  if (googlePlayTrack === null) throw incomplete('googlePlayTrack');
  return { ...destination, type: 'google-play', androidPackageName, googlePlayTrack, googleKeyId };
}

function requireApple(destination: Destination): AppleDestination {
  const { appleId, appleKeyFileId, appleApiKeyId, appleBetaGroups } = destination;
  if (appleId !== null && appleKeyFileId === null) {
    throw unfit(
      'must not sign in with an Apple ID: use an API key (appAppleApiKeyId, appleApiKeyId and appleIssuerId).',
    );
  }
  if (appleKeyFileId === null) throw incomplete('appAppleApiKeyId');
  if (appleApiKeyId === null) throw incomplete('appleApiKeyId');
  // Destinations of earlier versions may have more.
  if (appleBetaGroups.length > MAX_BETA_GROUPS) {
    throw unfit(
      `must be a destination with at most ${MAX_BETA_GROUPS} appleBetaGroups: it has ${appleBetaGroups.length}.`,
    );
  }
  return { ...destination, type: 'apple-app-store-connect', appleKeyFileId, appleApiKeyId };
}

function incomplete(field: string): Error {
  return unfit(`must be a destination with ${field}: set it first.`);
}

function unfit(what: string): Error {
  return invalidField('appDestinationId', `appDestinationId ${what}`);
}
