import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { emptyAsAbsent } from '../../common/validation/empty-as-absent.js';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';

/** A day that there is, of the years 1970 to 9999, such as `2026-03-14`. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || value < '1970') return false;
  const date = new Date(`${value}T00:00:00Z`);
  // JavaScript makes the 2nd of March of the 30th of February.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** An optional day (UTC) in the query; empty counts as absent. */
export function QueryDay(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', format: 'date', example: '2026-03-14' }),
    Transform(({ value }: { value: unknown }) => emptyAsAbsent(value)),
    IsOptional(),
    Satisfies(isDay, '$property must be a day such as 2026-03-14.'),
  );
}
