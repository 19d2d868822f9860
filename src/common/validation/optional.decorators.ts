import { ValidateIf } from 'class-validator';

/** The field may be absent; `null` is not accepted. */
export function IsAbsentOr(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** The field may be absent or `null` (which clears it). */
export function IsNullable(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null);
}
