import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, MaxDate, MinDate } from 'class-validator';

const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A point in time: ISO 8601 text, or Unix milliseconds as a number; between 1970 and 9999. Becomes a `Date`. */
export function IsDateInput(): PropertyDecorator {
  const message = '$property must be an ISO 8601 date or Unix milliseconds.';
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'date-time' }),
    Transform(({ value }: { value: unknown }) => toDate(value)),
    MaxDate(new Date('9999-12-31T23:59:59.999Z'), { message }),
    MinDate(new Date(0), { message }),
    IsDate({ message }),
  );
}

/** What is not a date stays as it is, for validation to refuse. */
function toDate(value: unknown): unknown {
  if (typeof value === 'number') return new Date(value);
  if (typeof value === 'string' && iso.test(value)) return new Date(value);
  return value;
}
