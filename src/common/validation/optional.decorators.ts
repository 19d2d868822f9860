import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import { emptyAsAbsent } from './empty-as-absent.js';

/** The field may be absent; `null` is not accepted. */
export function IsAbsentOr(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** The field may be absent or `null` (which clears it). */
export function IsNullable(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null);
}

/** The parameter or form field may be absent or empty (`?name=`), which is the same. */
export function IsEmptyOr(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => emptyAsAbsent(value)),
    IsAbsentOr(),
  );
}
