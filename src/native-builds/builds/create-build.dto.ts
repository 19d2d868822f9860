import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsString, Matches, MaxLength } from 'class-validator';
import { Transform } from 'class-transformer';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { uuidPattern } from '../../common/validation/uuid.js';
import { IsAdHocVariables } from './ad-hoc-variables.decorator.js';
import { isVersion, type VersionedPlatform } from '../../common/compare-versions.js';
import { IsTextThat, Satisfies } from '../../common/validation/satisfies.decorator.js';
import { type BuildPlatform, buildPlatforms } from './build.entity.js';
import { IsReleaseNotes } from './release-notes.decorator.js';

/** Most channels that one build is deployed to. */
const MAX_CHANNELS = 20;

const IsOptionalId = (): PropertyDecorator => applyDecorators(IsNullable(), IsId());
const IsOptionalName = (): PropertyDecorator => applyDecorators(IsNullable(), IsName());

/** A new build. Exactly one of `gitRef` and `appBuildSourceId` is required. An id wins over a name. */
@ApiExample({ platform: 'web', appBuildSourceId: exampleId('BuildSource') })
export class CreateBuildDto {
  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform!: BuildPlatform;

  /**
   * Android: `debug` (default) or `release`. iOS: `simulator` (default), `development`, `ad-hoc`, `app-store` or
   * `enterprise`. Web builds have none.
   */
  @IsNullable()
  @IsText(50)
  type?: string | null;

  /**
   * Machine image; by default the one of the app, then `macos-tahoe`. An iOS build needs a runner that has it, for other
   * platforms it is a hint.
   *
   * @example 'macos-tahoe'
   */
  @IsNullable()
  @Matches(/^[a-z0-9-]{1,50}$/, {
    message: '$property must consist of 1 to 50 lower-case letters, digits and dashes.',
  })
  stack?: string | null;

  /** Branch, tag or commit to build, of the repository that the app is linked to. */
  @IsNullable()
  @Matches(/\S/, { message: '$property must not be empty.' })
  @IsText(255)
  gitRef?: string | null;

  /** The uploaded or fetched source to build. */
  @IsOptionalId()
  appBuildSourceId?: string | null;

  /**
   * The certificate to sign with, of the platform of the build. iOS builds need one with a provisioning profile of their type,
   * except those of the type `simulator`, which do not use it.
   */
  @IsOptionalId()
  appCertificateId?: string | null;

  /** The certificate by name. */
  @IsOptionalName()
  appCertificateName?: string | null;

  /** The environment; by default the one of the app. */
  @IsOptionalId()
  appEnvironmentId?: string | null;

  /** The environment by name. */
  @IsOptionalName()
  appEnvironmentName?: string | null;

  /** The configuration; only for Android and iOS. */
  @IsOptionalId()
  appConfigurationId?: string | null;

  /** The configuration by name. */
  @IsOptionalName()
  appConfigurationName?: string | null;

  /** Variables of this build alone. They win over those of the environment. Logs show them: use secrets for secrets. */
  @IsAdHocVariables()
  adHocEnvironmentVariables?: Record<string, string> | null;

  /** Builds with empty caches. What the build leaves replaces them if it may write them. Default: `false`. */
  @ApiPropertyOptional({ nullable: true, example: false })
  @IsNullable()
  @IsBoolean({ message: '$property must be true or false.' })
  noCache?: boolean | null;

  /** Deploys the build to this channel after success. Requires `deployments:write`. Web builds only. */
  @IsOptionalId()
  appChannelId?: string | null;

  /** Deploys the build to these channels after success, as `appChannelId`. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_CHANNELS })
  @IsNullable()
  @Matches(uuidPattern, { each: true, message: '$property must be UUIDs.' })
  @ArrayMaxSize(MAX_CHANNELS, { message: `$property must be at most ${MAX_CHANNELS} ids.` })
  @IsArray({ message: '$property must be a list of ids.' })
  appChannelIds?: string[] | null;

  /** Deploys the build to the channels with these names after success, as `appChannelId`. */
  @ApiPropertyOptional({ type: [String], maxItems: MAX_CHANNELS })
  @IsNullable()
  @MaxLength(128, { each: true, message: '$property must be names of at most 128 characters.' })
  @IsString({ each: true, message: '$property must be names.' })
  @ArrayMaxSize(MAX_CHANNELS, { message: `$property must be at most ${MAX_CHANNELS} names.` })
  @IsArray({ message: '$property must be a list of names.' })
  appChannelNames?: string[] | null;

  /** Submits the build to this destination after success. Requires `deployments:write` and `submissions:write`. Android and iOS. */
  @IsOptionalId()
  appDestinationId?: string | null;

  /** Texts for stores: `default`, and by locale. At most 4,000 characters each. */
  @IsReleaseNotes()
  releaseNotes?: Record<string, string> | null;
}

const MAX_VERSION_LENGTH = 128;

/** How the version of a platform is written, for error messages. */
const versionForms: Record<VersionedPlatform, string> = {
  android: 'digits and dots, such as 10 or 1.0.5',
  ios: 'digits and dots, such as 10 or 1.0.5',
  electron: 'a version such as 10, 1.0.5 or 1.2.3-beta.1',
};

/**
 * An optional native version that compares to those of devices: dotted digits, on Electron also a semantic version, 1 to
 * 128 characters; `null` and an empty text clear.
 */
function IsVersionCode(platform: VersionedPlatform): PropertyDecorator {
  const message = `$property must be ${versionForms[platform]}.`;
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: MAX_VERSION_LENGTH, nullable: true, example: '10' }),
    IsNullable(),
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
    IsTextThat((text) => isVersion(text, platform), message),
    IsText(MAX_VERSION_LENGTH),
  );
}

const MAX_PROPERTIES = 10;
const MAX_PROPERTY_LENGTH = 100;

/** Up to ten texts by name; `key=value` is at most 100 characters long. */
function IsCustomProperties(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true }),
    IsNullable(),
    Satisfies(
      isCustomProperties,
      `$property must be an object of at most ${MAX_PROPERTIES} texts; name=text at most ${MAX_PROPERTY_LENGTH} characters.`,
    ),
  );
}

function isCustomProperties(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: [string, unknown][] = Object.entries(value);
  return (
    entries.length <= MAX_PROPERTIES &&
    entries.every(([key, text]) => typeof text === 'string' && `${key}=${text}`.length <= MAX_PROPERTY_LENGTH)
  );
}

/** An optional text of at most 1,000 characters; `null` clears. */
export function IsBuildText(): PropertyDecorator {
  return applyDecorators(IsNullable(), IsText(1000));
}

/** What decides which devices may receive a build, and what they receive with it. */
export class BuildTargetingDto {
  /** Up to ten texts by name that devices receive with the bundle. */
  @IsCustomProperties()
  customProperties?: Record<string, string> | null;

  /** Lowest Android `versionCode` that receives the build. */
  @IsVersionCode('android')
  minAndroidAppVersionCode?: string | null;

  /** Highest Android `versionCode` that receives the build. */
  @IsVersionCode('android')
  maxAndroidAppVersionCode?: string | null;

  /** The Android `versionCode` that does not receive the build, because its binary already contains the code. */
  @IsVersionCode('android')
  eqAndroidAppVersionCode?: string | null;

  /** Lowest iOS `CFBundleVersion` that receives the build. */
  @IsVersionCode('ios')
  minIosAppVersionCode?: string | null;

  /** Highest iOS `CFBundleVersion` that receives the build. */
  @IsVersionCode('ios')
  maxIosAppVersionCode?: string | null;

  /** The iOS `CFBundleVersion` that does not receive the build, because its binary already contains the code. */
  @IsVersionCode('ios')
  eqIosAppVersionCode?: string | null;

  /** Lowest Electron version that receives the build. */
  @IsVersionCode('electron')
  minElectronAppVersionCode?: string | null;

  /** Highest Electron version that receives the build. */
  @IsVersionCode('electron')
  maxElectronAppVersionCode?: string | null;

  /** The Electron version that does not receive the build, because its binary already contains the code. */
  @IsVersionCode('electron')
  eqElectronAppVersionCode?: string | null;
}

/** The fields of a request or a build that decide which devices may receive the build. */
export function targetingOf<T extends BuildTargetingDto>(values: T): Pick<T, keyof BuildTargetingDto> {
  return {
    customProperties: values.customProperties,
    minAndroidAppVersionCode: values.minAndroidAppVersionCode,
    maxAndroidAppVersionCode: values.maxAndroidAppVersionCode,
    eqAndroidAppVersionCode: values.eqAndroidAppVersionCode,
    minIosAppVersionCode: values.minIosAppVersionCode,
    maxIosAppVersionCode: values.maxIosAppVersionCode,
    eqIosAppVersionCode: values.eqIosAppVersionCode,
    minElectronAppVersionCode: values.minElectronAppVersionCode,
    maxElectronAppVersionCode: values.maxElectronAppVersionCode,
    eqElectronAppVersionCode: values.eqElectronAppVersionCode,
  };
}
