/** A time before the expiry of something, such as `7d`, or `expired`. */
export interface ExpiryThreshold {
  readonly name: string;
  /** Before the expiry; 0: when it has expired. */
  readonly days: number;
}

/** How long after it has expired an object has its event, as an interval of PostgreSQL: not what expired long ago. */
export const EXPIRED_LATELY = '7 days';

/** What `newlyExpiring` finds, besides its other columns. */
export interface Expiring {
  readonly id: string;
  readonly organizationId: string;
  readonly expiresAt: Date;
  /** The strictest that is crossed. */
  readonly threshold: string;
}

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

/** SQL for the name of the strictest threshold that `"expiresAt"` has crossed; it is `NULL` when none is. */
function strictestCrossed(thresholds: readonly ExpiryThreshold[]): string {
  const cases = thresholds
    .toReversed()
    .map(({ name, days }) => `WHEN "expiresAt" <= now() + interval '${days} days' THEN '${name}'`);
  return `CASE ${cases.join(' ')} END`;
}

/**
 * SQL for the rows of a query that have crossed a threshold and have no event for it yet.
 *
 * @param rows a query with the columns `id`, `"organizationId"` and `"expiresAt"`
 * @returns a query with the column `threshold`, the earliest expiry first, and two parameters: `$1` is the kind of the state,
 *   `$2` the most rows
 */
export function newlyExpiring(rows: string, thresholds: readonly ExpiryThreshold[]): string {
  const earliest = Math.max(...thresholds.map(({ days }) => days));
  return `SELECT * FROM (
            SELECT *, ${strictestCrossed(thresholds)} AS threshold FROM (${rows}) AS object
             WHERE "expiresAt" BETWEEN now() - interval '${EXPIRED_LATELY}' AND now() + interval '${earliest} days'
          ) AS expiring
         WHERE NOT EXISTS (
            SELECT FROM event_conditions AS state
             WHERE state.object_id = expiring.id AND state.kind = $1 AND state.threshold = expiring.threshold
               AND state.organization_id = expiring."organizationId")
         ORDER BY "expiresAt", id, "organizationId" LIMIT $2`;
}

/**
 * A condition of SQL on `event_conditions AS state`: its object is no longer past the threshold, or was deleted.
 *
 * @param table of objects with `expires_at`
 */
export function isNotExpiring(table: string, { days }: ExpiryThreshold): string {
  return `NOT EXISTS (SELECT FROM ${table} AS object
                       WHERE object.id = state.object_id AND object.expires_at <= now() + interval '${days} days')`;
}
