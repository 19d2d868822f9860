import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';

/** When a bundle expires: a time in the future, absent or `null`. */
export function IsBundleExpiry(): PropertyDecorator {
  return applyDecorators(
    IsNullable(),
    ApiPropertyOptional({ nullable: true }),
    MinDate(() => databaseNow(), { message: '$property must be in the future.' }),
    IsDateInput(),
  );
}
