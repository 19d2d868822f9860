import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

/** A whole number from `minimum` to `maximum`. */
export function IsWholeNumber(minimum: number, maximum: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum, maximum }),
    Max(maximum, { message: `$property must be at most ${maximum}.` }),
    Min(minimum, { message: `$property must be at least ${minimum}.` }),
    IsInt({ message: '$property must be a whole number.' }),
  );
}
