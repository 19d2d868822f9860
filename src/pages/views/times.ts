/** A time for people, such as `5 Mar 2030, 14:07 UTC`. In UTC, because the server does not know their time zone. */
export function showTime(time: Date): string {
  const text = time.toLocaleString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `${text} UTC`;
}

/** How long ago something was, to the minute. */
export function showAge(time: Date, now = Date.now()): string {
  const minutes = Math.floor((now - time.getTime()) / 60_000);
  if (minutes < 1) return 'less than a minute ago';
  return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
}
