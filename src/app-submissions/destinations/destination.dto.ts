import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { FreezeWindowDto } from '../../common/freezes/freeze-window.dto.js';
import { MAX_APPROVALS } from '../../common/freezes/policy-fields.decorators.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type AndroidArtifactType,
  androidArtifactTypes,
  type AndroidReleaseStatus,
  androidReleaseStatuses,
  type AppleReleaseType,
  appleReleaseTypes,
  type Destination,
  type DestinationPlatform,
  destinationPlatforms,
  type DestinationType,
  destinationTypes,
} from './destination.entity.js';

/** A place in a store that builds go to. Secrets are always `null`. */
@ApiExample({
  platform: 'android',
  type: 'google-play',
  androidBuildArtifactType: 'aab',
  androidReleaseStatus: 'draft',
  appleTeamId: null,
  appleId: null,
  appleAppId: null,
  appAppleApiKeyId: null,
  appleApiKeyId: null,
  appleIssuerId: null,
  appleBetaGroups: [],
  appleReleaseType: null,
  appleUsesNonExemptEncryption: null,
  firebaseAppId: null,
  firebaseTesterGroups: [],
  huaweiAppId: null,
  huaweiClientId: null,
  freezeWindows: [],
  allowedRefs: [],
})
export class DestinationDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'Google Play, internal' */
  name!: string;

  /**
   * The name as it is compared.
   * @example 'google play, internal'
   */
  nameLower!: string;

  /** The platform of the builds that go there. */
  @ApiProperty({ enum: destinationPlatforms, enumName: 'DestinationPlatform' })
  platform!: DestinationPlatform;

  /** The store. */
  @ApiProperty({ enum: destinationTypes, enumName: 'DestinationType' })
  type!: DestinationType;

  /**
   * The locale of release notes that are given as `default`; `null`: the default language of the app in the store.
   * @example 'en-US'
   */
  defaultLanguage!: string | null;

  /**
   * The application id of the app in Google Play.
   * @example 'com.example.app'
   */
  androidPackageName!: string | null;

  /** Which artifact of a build is submitted; `null`: the destination is for iOS. */
  @ApiProperty({ type: 'string', enum: [...androidArtifactTypes, null], nullable: true })
  androidBuildArtifactType!: AndroidArtifactType | null;

  /** `draft`: a person publishes the release in the Play Console; `null`: the destination is for iOS. */
  @ApiProperty({ type: 'string', enum: [...androidReleaseStatuses, null], nullable: true })
  androidReleaseStatus!: AndroidReleaseStatus | null;

  /**
   * The track in Google Play.
   * @example 'internal'
   */
  googlePlayTrack!: string | null;

  /** The uploaded key of the Google service account that signs in. */
  @ApiId()
  appGoogleServiceAccountKeyId!: string | null;

  /** Apple's id of the team. */
  appleTeamId!: string | null;

  /** The Apple Account. */
  appleId!: string | null;

  /** Apple's number of the app. */
  appleAppId!: string | null;

  /** Always `null`. */
  appleAppPassword!: string | null;

  /** The uploaded `.p8` of an API key of App Store Connect. */
  @ApiId()
  appAppleApiKeyId!: string | null;

  /** Apple's id of that API key. */
  appleApiKeyId!: string | null;

  /** The issuer of the API keys of the team. */
  @ApiId()
  appleIssuerId!: string | null;

  /** The TestFlight groups that get the build. */
  appleBetaGroups!: string[];

  /** Whether submissions go to the review of the App Store. */
  appleSubmitForReview!: boolean;

  /** Whether a submission takes a version out of the review that waits there. */
  appleRejectIfPossible!: boolean;

  /** When a version goes live that the review has approved. */
  @ApiProperty({ type: 'string', enum: [...appleReleaseTypes, null], nullable: true })
  appleReleaseType!: AppleReleaseType | null;

  /** Whether users of the App Store get a version over seven days. */
  applePhasedRelease!: boolean;

  /** The answer about export compliance for builds whose Info.plist has none; `null`: there is no answer. */
  appleUsesNonExemptEncryption!: boolean | null;

  /** The app in Firebase. */
  firebaseAppId!: string | null;

  /** Aliases of the groups of Firebase that get the build. */
  firebaseTesterGroups!: string[];

  /** The app in AppGallery Connect. */
  huaweiAppId!: string | null;

  /** The client of the Connect API. */
  huaweiClientId!: string | null;

  /** Always `null`. */
  huaweiClientSecret!: string | null;

  /** People other than its creator who must approve a deployment before it is submitted. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_APPROVALS })
  requiredApprovals!: number;

  /** Freeze windows, in which nothing is submitted, released or rolled out to more users. */
  @ApiProperty({ type: [FreezeWindowDto] })
  freezeWindows!: FreezeWindowDto[];

  /** Patterns of the only branches and tags from which automations may send builds; empty: all are allowed. */
  allowedRefs!: string[];

  @ApiTime()
  createdAt!: string;

  /** Id of the user who created it; `null`: the user was deleted. */
  @ApiId()
  createdBy!: string | null;

  @ApiTime()
  updatedAt!: string;

  /** Id of the user who changed it last; `null`: the user was deleted. */
  @ApiId()
  updatedBy!: string | null;
}

/** The response for a destination. */
export function toDestinationDto(destination: Destination): DestinationDto {
  const isAndroid = destination.platform === 'android';
  return {
    id: destination.id,
    appId: destination.appId,
    name: destination.name,
    nameLower: destination.nameLower,
    platform: destination.platform,
    type: destination.type,
    defaultLanguage: destination.defaultLanguage,
    androidPackageName: destination.androidPackageName,
    androidBuildArtifactType: isAndroid ? destination.androidBuildArtifactType : null,
    androidReleaseStatus: isAndroid ? destination.androidReleaseStatus : null,
    googlePlayTrack: destination.googlePlayTrack,
    appGoogleServiceAccountKeyId: destination.googleKeyId,
    appleTeamId: destination.appleTeamId,
    appleId: destination.appleId,
    appleAppId: destination.appleAppId,
    appleAppPassword: null,
    appAppleApiKeyId: destination.appleKeyFileId,
    appleApiKeyId: destination.appleApiKeyId,
    appleIssuerId: destination.appleIssuerId,
    appleBetaGroups: destination.appleBetaGroups,
    appleSubmitForReview: destination.appleSubmitForReview,
    appleRejectIfPossible: destination.appleRejectIfPossible,
    appleReleaseType: destination.appleReleaseType,
    applePhasedRelease: destination.applePhasedRelease,
    appleUsesNonExemptEncryption: destination.appleUsesNonExemptEncryption,
    firebaseAppId: destination.firebaseAppId,
    firebaseTesterGroups: destination.firebaseTesterGroups,
    huaweiAppId: destination.huaweiAppId,
    huaweiClientId: destination.huaweiClientId,
    huaweiClientSecret: null,
    requiredApprovals: destination.requiredApprovals,
    freezeWindows: destination.freezeWindows.map(({ from, to, reason }) => ({ from, to, reason })),
    allowedRefs: destination.allowedRefs,
    createdAt: destination.createdAt.toISOString(),
    createdBy: destination.createdByUserId,
    updatedAt: destination.updatedAt.toISOString(),
    updatedBy: destination.updatedByUserId,
  };
}

/** Which destinations to list. */
export class ListDestinationsQuery extends PageQuery {
  /** Only destinations with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only destinations for this platform. */
  @IsEmptyOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;

  /** Only destinations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which destination to delete. */
export class DeleteDestinationQuery {
  /**
   * The name of the destination, ignoring case.
   * @example 'Google Play, internal'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;

  /** Its platform, if destinations of both have the name. */
  @IsEmptyOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;
}
