import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { IsNullable } from '../validation/optional.decorators.js';
import { validatedFields } from '../validation/validated-fields.js';
import { FreezeWindowInputDto, MAX_FREEZE_WINDOWS } from './freeze-window.dto.js';

/** People who can be required to approve a deployment. */
export const MAX_APPROVALS = 5;

/** How many people must approve, or `null`. */
export function IsRequiredApprovals(): PropertyDecorator {
  const message = `$property must be a whole number from 0 to ${MAX_APPROVALS}.`;
  return applyDecorators(
    IsNullable(),
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_APPROVALS, nullable: true }),
    Max(MAX_APPROVALS, { message }),
    Min(0, { message }),
    IsInt({ message }),
  );
}

/** A list of freeze windows, or `null`. */
export function IsFreezeWindows(): PropertyDecorator {
  const message = '$property must hold objects with from and to.';
  return applyDecorators(
    IsNullable(),
    ApiPropertyOptional({ type: [FreezeWindowInputDto], maxItems: MAX_FREEZE_WINDOWS, nullable: true }),
    ValidateNested({ each: true, message }),
    Type(() => FreezeWindowInputDto),
    // A misspelt end would leave the window without one.
    HasNoOtherFields(),
    // Nested arrays would not be validated.
    IsObject({ each: true, message }),
    ArrayMaxSize(MAX_FREEZE_WINDOWS, {
      message: `$property must hold at most ${MAX_FREEZE_WINDOWS} windows.`,
    }),
    IsArray({ message: '$property must be a list.' }),
  );
}

/** Objects without other fields than those of a freeze window. */
function HasNoOtherFields(): PropertyDecorator {
  const known = validatedFields(FreezeWindowInputDto);
  const validate = (window: unknown): boolean =>
    typeof window !== 'object' ||
    window === null ||
    Object.keys(window).every((name) => known.includes(name));
  return ValidateBy(
    {
      name: 'hasNoOtherFields',
      validator: {
        validate,
        defaultMessage: () => `Each of $property must hold ${known.join(', ')} only.`,
      },
    },
    { each: true },
  );
}
