import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import { type BuildFormFactor, buildFormFactors } from '../../common/build-numbers.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsTextThat, Satisfies } from '../../common/validation/satisfies.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import type { Configuration } from './configuration.entity.js';
import {
  toConfiguredBuildNumber,
  isConfiguredBuildNumber,
  isVersionName,
  MAX_BUILD_NUMBER_OFFSET,
  MAX_CONFIGURED_BUILD_NUMBER,
  MAX_VERSION_NAME_LENGTH,
  NUMBER_OF_BUILD,
  NUMBER_OF_STORE,
} from './version.js';
import { isPackageName, MAX_PACKAGE_NAME_LENGTH } from './package-name.js';

/** A version as users see it. */
function IsVersionName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_VERSION_NAME_LENGTH }),
    IsTextThat(
      isVersionName,
      `$property must be 1 to ${MAX_VERSION_NAME_LENGTH} letters, digits and ". _ + -", and begin with a letter or a digit.`,
    ),
  );
}

/** Documents a build number: a whole number, `ci` or `store`. */
function ApiBuildNumber(): PropertyDecorator {
  return ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 1, maximum: MAX_CONFIGURED_BUILD_NUMBER, nullable: true },
      { type: 'string', enum: [NUMBER_OF_BUILD, NUMBER_OF_STORE] },
    ],
    example: NUMBER_OF_BUILD,
  });
}

/** A build number: a whole number, `ci` or `store`. */
function IsBuildNumber(): PropertyDecorator {
  return applyDecorators(
    ApiBuildNumber(),
    Satisfies(
      isConfiguredBuildNumber,
      `$property must be a whole number from 1 to ${MAX_CONFIGURED_BUILD_NUMBER}, "${NUMBER_OF_BUILD}" or "${NUMBER_OF_STORE}".`,
    ),
  );
}

/** What builds overwrite in the native projects of an app. */
export class ConfigurationDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'staging' */
  name!: string;

  /**
   * What the app is called on devices; `null`: as in the project.
   * @example 'Shop (staging)'
   */
  displayName!: string | null;

  /**
   * The Android application id or iOS bundle id; `null`: as in the project.
   * @example 'com.example.shop.staging'
   */
  packageName!: string | null;

  /**
   * The version as users see it; `null`: as in the project.
   * @example '1.4.0'
   */
  versionName!: string | null;

  /**
   * The Android version code or iOS build number; `ci`: the number of each build; `store`: one more than the store has;
   * `null`: as in the project.
   */
  @ApiBuildNumber()
  buildNumber!: number | 'ci' | 'store' | null;

  /** Numbers from the store begin above it; `null`: with 1. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUILD_NUMBER_OFFSET })
  buildNumberOffset!: number | null;

  /**
   * The devices that builds are for, whose numbers in the store count; `null`: as the track of the destination of the build
   * says, else `phone`.
   */
  @ApiProperty({ type: String, enum: [...buildFormFactors, null], nullable: true })
  formFactor!: BuildFormFactor | null;

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

/** The response for a native configuration. */
export function toConfigurationDto(configuration: Configuration): ConfigurationDto {
  return {
    id: configuration.id,
    appId: configuration.appId,
    name: configuration.name,
    displayName: configuration.displayName,
    packageName: configuration.packageName,
    versionName: configuration.versionName,
    buildNumber: toConfiguredBuildNumber(configuration.buildNumber),
    buildNumberOffset: configuration.buildNumberOffset,
    formFactor: configuration.formFactor,
    createdAt: configuration.createdAt.toISOString(),
    createdBy: configuration.createdByUserId,
    updatedAt: configuration.updatedAt.toISOString(),
    updatedBy: configuration.updatedByUserId,
  };
}

function IsPackageName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: MAX_PACKAGE_NAME_LENGTH }),
    IsTextThat(
      isPackageName,
      '$property must be an Android application id or an iOS bundle id, such as com.example.app.',
    ),
  );
}

/** A new native configuration. */
export class CreateConfigurationDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'staging'
   */
  @IsName()
  name!: string;

  /**
   * What the app is called on devices; `null`: as in the project.
   * @example 'Shop (staging)'
   */
  @IsNullable()
  @IsName()
  displayName?: string | null;

  /**
   * The Android application id or iOS bundle id; `null`: as in the project.
   * @example 'com.example.shop.staging'
   */
  @IsNullable()
  @IsPackageName()
  packageName?: string | null;

  /**
   * The version as users see it; `null`: as in the project.
   * @example '1.4.0'
   */
  @IsNullable()
  @IsVersionName()
  versionName?: string | null;

  /**
   * The Android version code or iOS build number; `ci`: the number of each build; `store`: one more than the store has;
   * `null`: as in the project.
   */
  @IsNullable()
  @IsBuildNumber()
  buildNumber?: number | 'ci' | 'store' | null;

  /** Numbers from the store begin above it; `null`: with 1. */
  @IsNullable()
  @IsWholeNumber(1, MAX_BUILD_NUMBER_OFFSET)
  buildNumberOffset?: number | null;

  /**
   * The devices that builds are for, whose numbers in the store count; `null`: as the track of the destination of the build
   * says, else `phone`.
   */
  @ApiPropertyOptional({ type: String, enum: [...buildFormFactors, null], nullable: true })
  @IsNullable()
  @IsIn(buildFormFactors, { message: `$property must be one of ${buildFormFactors.join(', ')}.` })
  formFactor?: BuildFormFactor | null;
}

/** Changes to a native configuration; absent fields stay as they are, `null` clears. */
@ApiExample({ packageName: 'com.example.shop.staging' })
export class UpdateConfigurationDto extends PartialType(CreateConfigurationDto, {
  skipNullProperties: false,
}) {}

/** Which configurations to list. */
export class ListConfigurationsQuery extends PageQuery {
  /** Only the configuration with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only configurations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which configuration to delete. */
export class DeleteConfigurationQuery {
  /**
   * The name of the configuration, ignoring case.
   * @example 'staging'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}
