import { invalidField } from '../../common/errors/app-error.js';
import type { DaysQuery } from './insights-query.dto.js';

const DAY = 86_400_000;
/** Most days that one request may ask for. */
export const MAX_DAYS = 400;
/** Days that are returned when the caller does not say how many. */
const DEFAULT_DAYS = 30;

/** Days from the first to the last one, both included; such as `2026-03-14`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day (UTC) that is so many days after a point in time, or before it. */
export function dayAfter(time: number, days: number): string {
  return new Date(time + days * DAY).toISOString().slice(0, 10);
}

/**
 * The days that a query asks for.
 *
 * @param last the last day when the query does not say
 * @throws InvalidRequestError when they are none or too many
 */
export function daysOf({ from, to }: DaysQuery, last: string): Days {
  const end = to ?? last;
  const start = from ?? dayAfter(Date.parse(end), 1 - DEFAULT_DAYS);
  const days = (Date.parse(end) - Date.parse(start)) / DAY + 1;
  if (days < 1) throw invalidField('from', 'from must not be after to.');
  if (days > MAX_DAYS) throw invalidField('from', `from must be at most ${MAX_DAYS - 1} days before to.`);
  return { from: start, to: end };
}
