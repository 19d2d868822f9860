import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, MaxDate, MinDate, type ValidationArguments } from 'class-validator';

const iso = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** 2001-01-01. A smaller number is a time in seconds: in milliseconds, those of this century are in January 1970. */
const FIRST_NUMBER = Date.UTC(2001, 0);

/**
 * A point in time: ISO 8601 text between 1970 and 9999 (UTC unless it says otherwise), or Unix milliseconds since 2001 as
 * a number. Becomes a `Date`.
 */
export function IsDateInput(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'date-time' }),
    Transform(({ value }: { value: unknown }) => toDate(value)),
    IsDate({ message }),
    MinDate(new Date(0), { message }),
    MaxDate(new Date('9999-12-31T23:59:59.999Z'), { message }),
  );
}

/**
 * Reads ISO 8601 text or Unix milliseconds since 2001.
 *
 * @returns a value that is not a date unchanged, so that validation refuses it
 */
export function toDate(value: unknown): unknown {
  if (typeof value === 'number') return value < FIRST_NUMBER ? value : new Date(value);
  if (typeof value !== 'string') return value;
  const [, day, time, zone] = iso.exec(value) ?? [];
  if (day === undefined || !isDay(day)) return value;
  // JavaScript reads a time without zone in the zone of the machine.
  return new Date(time !== undefined && zone === undefined ? `${value}Z` : value);
}

function message({ property, value }: ValidationArguments): string {
  const sentence = `${property} must be an ISO 8601 date or Unix milliseconds`;
  const date = typeof value === 'number' ? new Date(value) : null;
  return date === null || Number.isNaN(date.getTime())
    ? `${sentence}.`
    : `${sentence}: ${value} is ${date.toISOString()}, so it seems to be in seconds, not milliseconds.`;
}

/** JavaScript makes the 2nd of March of the 30th of February. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
