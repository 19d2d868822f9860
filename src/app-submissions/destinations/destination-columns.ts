import { invalidField, NotFoundError, errorOf } from '../../common/errors/app-error.js';
import { toFreezeWindows } from '../../common/freezes/freeze-window.dto.js';
import type { CreateDestinationDto, DestinationFieldsDto } from './create-destination.dto.js';
import {
  type Destination,
  type DestinationPlatform,
  DESTINATIONS_NAME_KEY,
  type DestinationType,
} from './destination.entity.js';

/** The stores that take builds of a platform; the first one is the default. */
const typesOfPlatforms: Readonly<Record<DestinationPlatform, readonly DestinationType[]>> = {
  android: ['google-play', 'firebase-app-distribution', 'huawei-appgallery'],
  ios: ['apple-app-store-connect', 'firebase-app-distribution'],
};

/** The store of a new destination. @throws InvalidRequestError when the store takes no builds of the platform */
export function typeOf({ platform, type }: CreateDestinationDto): DestinationType {
  const types = typesOfPlatforms[platform];
  const chosen = type ?? types[0];
  if (chosen !== undefined && types.includes(chosen)) return chosen;
  throw invalidField('type', `type must be one of ${types.join(', ')} for the platform ${platform}.`);
}

/** The key was deleted between its check and the statement. */
const keyIsGone = (): NotFoundError => new NotFoundError('Store key');

/** What a violated constraint means. */
export const destinationViolations = {
  [DESTINATIONS_NAME_KEY]: () => errorOf('destination_name_taken'),
  destinations_google_key_id_fkey: keyIsGone,
  destinations_apple_key_file_id_fkey: keyIsGone,
};

/**
 * The columns of the fields of a request, but for secrets; `undefined` for absent ones.
 *
 * @throws InvalidRequestError for a freeze window that ends before it begins
 */
export function columnsOf(fields: DestinationFieldsDto): Partial<Destination> {
  const columns = {
    defaultLanguage: fields.defaultLanguage,
    androidPackageName: fields.androidPackageName,
    androidBuildArtifactType: orDefault(fields.androidBuildArtifactType, 'aab'),
    androidReleaseStatus: orDefault(fields.androidReleaseStatus, 'draft'),
    googlePlayTrack: fields.googlePlayTrack,
    googleKeyId: fields.appGoogleServiceAccountKeyId,
    appleTeamId: fields.appleTeamId,
    appleId: fields.appleId,
    appleAppId: fields.appleAppId,
    appleKeyFileId: fields.appAppleApiKeyId,
    appleApiKeyId: fields.appleApiKeyId,
    appleIssuerId: fields.appleIssuerId,
    appleBetaGroups: orDefault(fields.appleBetaGroups, []),
    appleSubmitForReview: orDefault(fields.appleSubmitForReview, false),
    appleRejectIfPossible: orDefault(fields.appleRejectIfPossible, false),
    appleReleaseType: fields.appleReleaseType,
    applePhasedRelease: orDefault(fields.applePhasedRelease, false),
    appleUsesNonExemptEncryption: fields.appleUsesNonExemptEncryption,
    firebaseAppId: fields.firebaseAppId,
    firebaseTesterGroups: orDefault(fields.firebaseTesterGroups, []),
    huaweiAppId: fields.huaweiAppId,
    huaweiClientId: fields.huaweiClientId,
    requiredApprovals: orDefault(fields.requiredApprovals, 0),
    allowedRefs: orDefault(fields.allowedRefs, []),
    freezeWindows:
      fields.freezeWindows === undefined ? undefined : toFreezeWindows(fields.freezeWindows ?? []),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function orDefault<T>(value: T | null | undefined, byDefault: T): T | undefined {
  return value === null ? byDefault : value;
}
