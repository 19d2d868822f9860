const DAY = 86_400_000;

/**
 * The days that a device was seen on, such as `2026-03-14`, latest first.
 *
 * @param seenDays bit 0 is the day (UTC) of `lastSeenAt`, bit 1 the day before
 */
export function seenDates(lastSeenAt: Date, seenDays: bigint): string[] {
  const dates: string[] = [];
  for (let day = lastSeenAt.getTime(), bits = seenDays; bits > 0n; day -= DAY, bits >>= 1n) {
    if ((bits & 1n) === 1n) dates.push(new Date(day).toISOString().slice(0, 10));
  }
  return dates;
}
