import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength, registerDecorator } from 'class-validator';
import { IsNullable } from '../../common/validation/optional.decorators.js';

/** A native version: dotted digits or a semantic version, 1 to 128 characters. */
export function IsVersionCode(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: 128, nullable: true, example: '10' }),
    IsNullable(),
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
    IsString({ message: '$property must be a string.' }),
    Matches(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,127}$/, {
      message: '$property must be a version such as 10, 1.0.5 or 1.2.3-beta.1.',
    }),
  );
}

const MAX_PROPERTIES = 10;
const MAX_PROPERTY_LENGTH = 100;

/** Up to ten texts by name; `key=value` is at most 100 characters long. */
export function IsCustomProperties(): PropertyDecorator {
  return (target, property) => {
    ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })(
      target,
      property,
    );
    IsNullable()(target, property);
    registerDecorator({
      name: 'isCustomProperties',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: `$property must be an object of at most ${MAX_PROPERTIES} texts; name=text at most ${MAX_PROPERTY_LENGTH} characters.`,
      },
      validator: { validate: isCustomProperties },
    });
  };
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
  return applyDecorators(
    IsNullable(),
    IsString({ message: '$property must be a string.' }),
    MaxLength(1000, { message: '$property must be at most 1000 characters long.' }),
  );
}

/** What decides which devices may receive a build, and what they receive with it. */
export class BuildTargetingDto {
  /** Up to ten texts by name that devices receive with the bundle. */
  @IsCustomProperties()
  customProperties?: Record<string, string> | null;

  /** Lowest Android `versionCode` that receives the build. */
  @IsVersionCode()
  minAndroidAppVersionCode?: string | null;

  /** Highest Android `versionCode` that receives the build. */
  @IsVersionCode()
  maxAndroidAppVersionCode?: string | null;

  /** The Android `versionCode` that does not receive the build, because its binary already contains the code. */
  @IsVersionCode()
  eqAndroidAppVersionCode?: string | null;

  /** Lowest iOS `CFBundleVersion` that receives the build. */
  @IsVersionCode()
  minIosAppVersionCode?: string | null;

  /** Highest iOS `CFBundleVersion` that receives the build. */
  @IsVersionCode()
  maxIosAppVersionCode?: string | null;

  /** The iOS `CFBundleVersion` that does not receive the build, because its binary already contains the code. */
  @IsVersionCode()
  eqIosAppVersionCode?: string | null;

  /** Lowest Electron version that receives the build. */
  @IsVersionCode()
  minElectronAppVersionCode?: string | null;

  /** Highest Electron version that receives the build. */
  @IsVersionCode()
  maxElectronAppVersionCode?: string | null;

  /** The Electron version that does not receive the build, because its binary already contains the code. */
  @IsVersionCode()
  eqElectronAppVersionCode?: string | null;
}
