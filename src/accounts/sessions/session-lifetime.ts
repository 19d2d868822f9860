/** Days without use after which a session ends. */
const IDLE_DAYS = 30;
/** Days after which a session ends at the latest. */
const TOTAL_DAYS = 90;
const DAY = 24 * 60 * 60 * 1000;

/** When a session ends unless it is used again. */
export function expiryOf(session: { readonly createdAt: Date; readonly lastUsedAt: Date }): Date {
  return new Date(
    Math.min(session.lastUsedAt.getTime() + IDLE_DAYS * DAY, session.createdAt.getTime() + TOTAL_DAYS * DAY),
  );
}

/** The same as a condition on a row of `sessions` in SQL. */
export const SESSION_IS_ALIVE = `last_used_at > now() - interval '${IDLE_DAYS * 24} hours'
  AND created_at > now() - interval '${TOTAL_DAYS * 24} hours'`;

/** The latest times of a session that has ended. @param time by the clock of the database */
export function endedBefore(time: Date): { readonly createdAt: Date; readonly lastUsedAt: Date } {
  const now = time.getTime();
  return { createdAt: new Date(now - TOTAL_DAYS * DAY), lastUsedAt: new Date(now - IDLE_DAYS * DAY) };
}
