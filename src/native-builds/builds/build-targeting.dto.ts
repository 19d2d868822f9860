import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { isVersion, type VersionedPlatform } from '../../common/versions/compare-versions.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat, Satisfies } from '../../common/validation/satisfies.decorator.js';

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
export function IsVersionCode(platform: VersionedPlatform): PropertyDecorator {
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
export function IsCustomProperties(): PropertyDecorator {
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
