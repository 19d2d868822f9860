import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';

/**
 * A text of `minimum` to `maximum` characters.
 *
 * @param minimum 0 or 1
 */
export function IsText(maximum: number, minimum: 0 | 1 = 0): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: maximum, ...(minimum === 0 ? {} : { minLength: minimum }) }),
    // The first one that fails is reported.
    IsString({
      message: ({ property, value }) =>
        value === undefined ? `${property} is required.` : `${property} must be a string.`,
    }),
    MinLength(minimum, { message: '$property must not be empty.' }),
    MaxLength(maximum, { message: `$property must be at most ${maximum} characters long.` }),
  );
}
