import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsTextThat, Satisfies } from '../../common/validation/satisfies.decorator.js';
import {
  isConfiguredBuildNumber,
  isVersionName,
  MAX_CONFIGURED_BUILD_NUMBER,
  MAX_VERSION_NAME_LENGTH,
  NUMBER_OF_BUILD,
  NUMBER_OF_STORE,
} from './version.js';

/** A version as users see it. */
export function IsVersionName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_VERSION_NAME_LENGTH }),
    IsTextThat(
      isVersionName,
      `$property must be 1 to ${MAX_VERSION_NAME_LENGTH} letters, digits and ". _ + -", and begin with a letter or a digit.`,
    ),
  );
}

/** Documents a build number: a whole number, `ci` or `store`. */
export function ApiBuildNumber(): PropertyDecorator {
  return ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 1, maximum: MAX_CONFIGURED_BUILD_NUMBER, nullable: true },
      { type: 'string', enum: [NUMBER_OF_BUILD, NUMBER_OF_STORE] },
    ],
    example: NUMBER_OF_BUILD,
  });
}

/** A build number: a whole number, `ci` or `store`. */
export function IsBuildNumber(): PropertyDecorator {
  return applyDecorators(
    ApiBuildNumber(),
    Satisfies(
      isConfiguredBuildNumber,
      `$property must be a whole number from 1 to ${MAX_CONFIGURED_BUILD_NUMBER}, "${NUMBER_OF_BUILD}" or "${NUMBER_OF_STORE}".`,
    ),
  );
}
