import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

/** A whole number from `minimum` to `maximum`. */
export function IsWholeNumber(minimum: number, maximum: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum, maximum }),
    // The first one that fails is reported, and what is no number has neither a minimum nor a maximum.
    IsInt({ message: '$property must be a whole number.' }),
    Min(minimum, { message: `$property must be at least ${minimum}.` }),
    Max(maximum, { message: `$property must be at most ${maximum}.` }),
  );
}
