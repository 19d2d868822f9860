import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';

/** A share from 0 to 1. */
export function IsShare(): PropertyDecorator {
  const message = '$property must be a number from 0 to 1.';
  return applyDecorators(
    ApiProperty({ type: 'number', minimum: 0, maximum: 1 }),
    IsNumber({ allowNaN: false, allowInfinity: false }, { message }),
    Min(0, { message }),
    Max(1, { message }),
  );
}
