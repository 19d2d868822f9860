/**
 * What came of an attempt. `succeeded`: the receiver has it; `rejected`: it does not want this event, and may want
 * others; `unavailable`: it does not work now, for whatever event; `gone`: it wants no further events.
 */
export type AttemptOutcome = 'succeeded' | 'rejected' | 'unavailable' | 'gone';

/** Statuses below 500 that are about the receiver, not about the event: Request Timeout, Too Early, Too Many Requests. */
const TEMPORARY = [408, 425, 429];

/** Longest wait that a receiver may ask for, in seconds. */
const LONGEST_WAIT = 24 * 3600;

/** @param status of the response */
export function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'succeeded';
  if (status === 410) return 'gone';
  if (status >= 300 && status < 500 && !TEMPORARY.includes(status)) return 'rejected';
  return 'unavailable';
}

/** Why a response is no success, in a sentence; `null`: it is one. */
export function errorOf(status: number): string | null {
  switch (outcomeOf(status)) {
    case 'succeeded':
      return null;
    case 'gone':
      return 'The receiver responded with HTTP 410: it wants no more events.';
    case 'rejected':
      return status < 400
        ? `The receiver redirects with HTTP ${status}. Redirects are not followed: set the final address.`
        : `The receiver rejected the event with HTTP ${status}.`;
    case 'unavailable':
      return `The receiver responded with HTTP ${status}.`;
  }
}

/**
 * Reads the header `Retry-After`: seconds, also with decimals as chats send them, or a date.
 *
 * @returns seconds from now, at most a day; `null`: there is no valid one
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterOf(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  const seconds = /^\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : /^[A-Za-z]{3},? /.test(text)
      ? (Date.parse(text) - now.getTime()) / 1000
      : NaN;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_WAIT, Math.max(0, seconds));
}
