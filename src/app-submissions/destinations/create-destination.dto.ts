import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsAllowedRefs } from '../../common/validation/allowed-refs.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { FreezeWindowInputDto } from '../../common/freezes/freeze-window.dto.js';
import { IsFreezeWindows, IsRequiredApprovals } from '../../common/freezes/policy-fields.decorators.js';
import { RefuseMisnamedLimits } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { DestinationDto } from './destination.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import {
  type DestinationPlatform,
  destinationPlatforms,
  type DestinationType,
  destinationTypes,
  type AndroidArtifactType,
  androidArtifactTypes,
  type AndroidReleaseStatus,
  androidReleaseStatuses,
  type AppleReleaseType,
  appleReleaseTypes,
} from './destination.entity.js';
import {
  IsAppleAppId,
  IsAppleShortId,
  IsApplicationId,
  IsFirebaseAppId,
  IsGroupAliases,
  IsGroupNames,
  IsHuaweiId,
  IsLocale,
  IsOneOfOrNull,
  IsTrack,
} from './destination-fields.decorators.js';

const MAX_SECRET_LENGTH = 256;
const MAX_APPLE_ID_LENGTH = 254;
const IS_BOOLEAN = { message: '$property must be true or false.' };

/** What a destination has besides its name and its store. Each type uses its own fields. */
export class DestinationFieldsDto {
  /**
   * The locale of release notes that are given as `default`; `null`: the default language of the app in the store.
   * @example 'en-US'
   */
  @IsNullable()
  @IsLocale()
  defaultLanguage?: string | null;

  /**
   * The application id of the app in Google Play.
   * @example 'com.example.app'
   */
  @IsNullable()
  @IsApplicationId()
  androidPackageName?: string | null;

  /** Which artifact of a build is submitted; by default `aab`, as with `null`. */
  @IsNullable()
  @IsOneOfOrNull(androidArtifactTypes)
  androidBuildArtifactType?: AndroidArtifactType | null;

  /** `draft`: a person publishes the release in the Play Console; by default so, as with `null`. */
  @IsNullable()
  @IsOneOfOrNull(androidReleaseStatuses)
  androidReleaseStatus?: AndroidReleaseStatus | null;

  /**
   * The track in Google Play: `internal`, `alpha`, `beta`, `production`, that of a form factor such as `wear:production`, or
   * the name of a closed track.
   * @example 'internal'
   */
  @IsNullable()
  @IsTrack()
  googlePlayTrack?: string | null;

  /** The uploaded key of the Google service account that signs in to Google Play or Firebase. */
  @IsNullable()
  @IsId()
  appGoogleServiceAccountKeyId?: string | null;

  /** @example 'AB12CD34EF' */
  @IsNullable()
  @IsAppleShortId('the id of a team')
  appleTeamId?: string | null;

  /**
   * The Apple Account that signs in with `appleAppPassword`. It is stored, but Slipway submits with an API key alone.
   * @example 'ada@example.com'
   */
  @IsNullable()
  @IsName(MAX_APPLE_ID_LENGTH)
  appleId?: string | null;

  /**
   * Apple's number of the app.
   * @example '1234567890'
   */
  @IsNullable()
  @IsAppleAppId()
  appleAppId?: string | null;

  /** The app-specific password of the Apple Account. It is encrypted and never returned. */
  @IsNullable()
  @IsText(MAX_SECRET_LENGTH, 1)
  appleAppPassword?: string | null;

  /** The uploaded `.p8` of an API key of App Store Connect. */
  @IsNullable()
  @IsId()
  appAppleApiKeyId?: string | null;

  /**
   * Apple's id of that API key.
   * @example '2X9R4HXF34'
   */
  @IsNullable()
  @IsAppleShortId('the id of an API key')
  appleApiKeyId?: string | null;

  /**
   * The issuer of the API keys of the team; `null`: the key is that of one user.
   * @example '57246542-96fe-1a63-e053-0824d011072a'
   */
  @IsNullable()
  @IsId()
  appleIssuerId?: string | null;

  /** The TestFlight groups that get the build; `null`: none. */
  @IsNullable()
  @IsGroupNames()
  appleBetaGroups?: string[] | null;

  /** Whether submissions go to the review of the App Store. */
  @IsNullable()
  @IsBoolean(IS_BOOLEAN)
  appleSubmitForReview?: boolean | null;

  /** Whether a submission takes a version out of the review that waits there. */
  @IsNullable()
  @IsBoolean(IS_BOOLEAN)
  appleRejectIfPossible?: boolean | null;

  /**
   * When a version goes live that the review has approved: `manual` (as with `null`) when you release it, `after-approval` at
   * once, `scheduled` at the `appleEarliestReleaseDate` of its deployment.
   */
  @IsNullable()
  @IsOneOfOrNull(appleReleaseTypes)
  appleReleaseType?: AppleReleaseType | null;

  /** Whether users of the App Store get a version over seven days. */
  @IsNullable()
  @IsBoolean(IS_BOOLEAN)
  applePhasedRelease?: boolean | null;

  /**
   * Whether builds use encryption that is not exempt from export rules, for builds whose Info.plist does not say so
   * (`ITSAppUsesNonExemptEncryption`); `null`: not answered.
   */
  @IsNullable()
  @IsBoolean(IS_BOOLEAN)
  appleUsesNonExemptEncryption?: boolean | null;

  /**
   * The app in Firebase.
   * @example '1:1234567890:android:0a1b2c3d4e5f'
   */
  @IsNullable()
  @IsFirebaseAppId()
  firebaseAppId?: string | null;

  /** Aliases of the groups that get the build; `null`: none. */
  @IsNullable()
  @IsGroupAliases()
  firebaseTesterGroups?: string[] | null;

  /**
   * The app in AppGallery Connect.
   * @example '100000001'
   */
  @IsNullable()
  @IsHuaweiId()
  huaweiAppId?: string | null;

  /**
   * The client of the Connect API.
   * @example '1234567890123456789'
   */
  @IsNullable()
  @IsHuaweiId()
  huaweiClientId?: string | null;

  /** The secret of that client. It is encrypted and never returned. */
  @IsNullable()
  @IsText(MAX_SECRET_LENGTH, 1)
  huaweiClientSecret?: string | null;

  /**
   * How many people other than its creator must approve a deployment before it is submitted; 0 or `null`: none. Requires the
   * permission `channels:govern`. Existing deployments keep their number.
   */
  @IsRequiredApprovals()
  requiredApprovals?: number | null;

  /**
   * Freeze windows, in which nothing is submitted, released or rolled out to more users. Replaces all existing windows;
   * `null`: none. Requires the permission `channels:govern`.
   */
  @IsFreezeWindows()
  freezeWindows?: FreezeWindowInputDto[] | null;

  /**
   * Automations may only send builds of branches and tags here that match one of these patterns; empty or `null`: all. Patterns
   * mean branches unless they begin with `refs/`, such as `refs/tags/v*`. Requires the permission `channels:govern`.
   */
  @IsNullable()
  @ApiPropertyOptional({ nullable: true })
  @IsAllowedRefs()
  allowedRefs?: string[] | null;
}

/** A new destination. */
@ApiExample({ platform: 'android', androidPackageName: 'com.example.app', googlePlayTrack: 'internal' })
@RefuseMisnamedLimits(DestinationDto)
export class CreateDestinationDto extends DestinationFieldsDto {
  /**
   * Unique for the platform, ignoring case.
   * @example 'Google Play, internal'
   */
  @IsName()
  name!: string;

  /** The platform of the builds that go there. It cannot be changed. */
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform!: DestinationPlatform;

  /**
   * The store; by default `google-play` or `apple-app-store-connect`. Firebase takes builds of both platforms. It cannot be
   * changed.
   */
  @IsAbsentOr()
  @IsOneOf(destinationTypes, 'DestinationType')
  type?: DestinationType;
}

/** Changes to a destination; absent fields stay as they are, `null` clears. */
@ApiExample({ googlePlayTrack: 'production' })
@RefuseMisnamedLimits(DestinationDto)
export class UpdateDestinationDto extends DestinationFieldsDto {
  /**
   * Unique for the platform, ignoring case.
   * @example 'Google Play, production'
   */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /** It cannot be changed: absent, or as it is. */
  @IsAbsentOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;

  /** It cannot be changed: absent, or as it is. */
  @IsAbsentOr()
  @IsOneOf(destinationTypes, 'DestinationType')
  type?: DestinationType;
}
