/**
 * SQL: whether a time that was planned is not further in the future than it was planned ahead (`wait_ms`): otherwise the
 * clock was wrong then, or has been put back since. A minute is what clocks and transactions may differ by.
 *
 * @param column a time of a row with `wait_ms`
 */
export function trusted(column: string): string {
  const [, table = ''] = /^(\w+\.)?/.exec(column) ?? [];
  return `(${column} <= now() + ${table}wait_ms * interval '1 millisecond' + interval '1 minute')`;
}

/** The same of a time that was read. */
export function isTrusted(time: Date, waitMs: number, now: Date): boolean {
  return time.getTime() <= now.getTime() + waitMs + 60_000;
}
