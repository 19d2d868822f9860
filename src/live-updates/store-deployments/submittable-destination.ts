import type { Destination, DestinationType } from '../../app-submissions/destinations/destination.entity.js';
import { invalidField } from '../../common/errors/app-error.js';

/** A destination that says everything that a submission to Google Play needs. */
export type SubmittableDestination = Destination & {
  readonly androidPackageName: string;
  readonly googlePlayTrack: string;
  readonly googleKeyId: string;
};

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

/** @throws InvalidRequestError when builds cannot be submitted to it: its store is not supported, or a field is missing */
export function requireSubmittable(destination: Destination): SubmittableDestination {
  const { type, androidPackageName, googlePlayTrack, googleKeyId } = destination;
  if (type === 'apple-app-store-connect' && signsInWithAppleId(destination)) {
    throw unfit('must not sign in with an Apple ID: use an API key.');
  }
  if (type !== 'google-play') {
    throw unfit(
      `must be a destination of the type google-play: submissions to ${NAMES[type]} (${type}) are not supported yet.`,
    );
  }
  if (googleKeyId === null) throw incomplete('appGoogleServiceAccountKeyId');
  if (androidPackageName === null) throw incomplete('androidPackageName');
  if (googlePlayTrack === null) throw incomplete('googlePlayTrack');
  return { ...destination, androidPackageName, googlePlayTrack, googleKeyId };
}

function signsInWithAppleId({ appleId, appleKeyFileId }: Destination): boolean {
  return appleId !== null && appleKeyFileId === null;
}

function incomplete(field: string): Error {
  return unfit(`must be a destination with ${field}: set it first.`);
}

function unfit(what: string): Error {
  return invalidField('appDestinationId', `appDestinationId ${what}`);
}
