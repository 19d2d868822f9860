/** Responses take time, and clocks are never quite the same: in milliseconds. */
const TOLERANCE = 30_000;

/** By how much the clock of this device is before that of the server, in milliseconds. */
let ahead = 0;

/** Compares the clock of this device, which may be days off, with that of the server, whose times the screens show. */
export function noteServerTime(response: Response): void {
  const found = Date.now() - Date.parse(response.headers.get('Date') ?? '');
  if (!Number.isNaN(found)) ahead = Math.abs(found) > TOLERANCE ? found : 0;
}

/** What `Date.now()` is on the server. */
export const serverNow = (): number => Date.now() - ahead;
