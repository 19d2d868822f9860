import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { isPackageName, MAX_PACKAGE_NAME_LENGTH } from './package-name.js';
import { IsBuildNumber, IsVersionName } from './version.decorators.js';

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
}

/** Changes to a native configuration; absent fields stay as they are, `null` clears. */
@ApiExample({ packageName: 'com.example.shop.staging' })
export class UpdateConfigurationDto extends PartialType(CreateConfigurationDto, {
  skipNullProperties: false,
}) {}
