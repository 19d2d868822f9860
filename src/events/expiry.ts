/** A time before the expiry of something, such as `7d`, or `expired`. */
export interface ExpiryThreshold {
  readonly name: string;
  /** Before the expiry; 0: when it has expired. */
  readonly days: number;
}

/** How long after it has expired an object has its event, as an interval of PostgreSQL: not what expired long ago. */
export const EXPIRED_LATELY = '7 days';

/** Thresholds of so many days, the strictest last. @param days 0: when it has expired */
export function expiryThresholds(...days: readonly number[]): ExpiryThreshold[] {
  return days
    .toSorted((a, b) => b - a)
    .map((before) => ({ name: before === 0 ? 'expired' : `${before}d`, days: before }));
}

/** The names of those up to this one: all that are crossed when the strictest is. */
export function crossedUpTo(thresholds: readonly ExpiryThreshold[], strictest: string): string[] {
  return thresholds
    .slice(0, thresholds.findIndex(({ name }) => name === strictest) + 1)
    .map(({ name }) => name);
}

/**
 * SQL for the name of the strictest threshold that a time has crossed.
 *
 * @param column of the time, such as `certificate.expires_at`
 * @returns an expression that is `NULL` when none is crossed
 */
export function strictestCrossed(column: string, thresholds: readonly ExpiryThreshold[]): string {
  const cases = thresholds
    .toReversed()
    .map(({ name, days }) => `WHEN ${column} <= now() + interval '${days} days' THEN '${name}'`);
  return `CASE ${cases.join(' ')} END`;
}
