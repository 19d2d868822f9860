import type { WebhookFormat } from '../../webhooks/webhook.entity.js';

/**
 * What came of an attempt. `succeeded`: the receiver has it; `rejected`: it does not want this event, and may want
 * others; `unavailable`: it does not work now, for whatever event; `gone`: it wants no further events.
 */
export type AttemptOutcome = 'succeeded' | 'rejected' | 'unavailable' | 'gone';

/**
 * Statuses below 500 that are about the receiver, not about the event: Unauthorized, Forbidden, Proxy Authentication
 * Required, Request Timeout, Too Early, Too Many Requests.
 */
const OF_RECEIVER = [401, 403, 407, 408, 425, 429];

/** Too Many Requests, Service Unavailable: a wait that comes with them is followed to the second. */
const BUSY = [429, 503];

/** The waits that a receiver may ask for, in seconds. */
const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 24 * 3600;

/** @param status of the response */
export function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'succeeded';
  if (status === 410) return 'gone';
  const isOfEvent = status >= 400 && status < 500 && !OF_RECEIVER.includes(status);
  return isOfEvent ? 'rejected' : 'unavailable';
}

/** Whether the receiver has said that it has too much to do, and for how long. */
export function isBusy({
  status,
  retryAfter,
}: {
  readonly status: number | null;
  readonly retryAfter: number | null;
}): boolean {
  return status !== null && BUSY.includes(status) && retryAfter !== null;
}

/** Why a response is no success, in a sentence; `null`: it is one. */
export function errorOf(status: number): string | null {
  switch (outcomeOf(status)) {
    case 'succeeded':
      return null;
    case 'gone':
      return 'The receiver responded with HTTP 410: it wants no more events.';
    case 'rejected':
      return `The receiver rejected the event with HTTP ${status}.`;
    case 'unavailable':
      return status >= 300 && status < 400
        ? `The receiver redirects with HTTP ${status}. Redirects are not followed: set the final address.`
        : `The receiver responded with HTTP ${status}.`;
  }
}

/**
 * The status that a response means. The older incoming webhooks of Teams respond with 200 although the message was not
 * posted, and have the status in the text.
 */
export function meantStatus(format: WebhookFormat, status: number, body: string): number {
  if (format !== 'teams' || status !== 200) return status;
  const [, named] = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(body) ?? [];
  return named === undefined ? status : Number(named);
}

/**
 * Reads the header `Retry-After`: seconds, also with decimals as chats send them, or a date in the future.
 *
 * @returns seconds from now, from one second to a day; `null`: there is no valid one, or a date that has passed
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterOf(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  const isNumber = /^\d+(\.\d+)?$/.test(text);
  const isDate = /^[A-Za-z]{3},? /.test(text);
  const seconds = isNumber ? Number(text) : isDate ? (Date.parse(text) - now.getTime()) / 1000 : NaN;
  if (Number.isNaN(seconds) || (isDate && seconds <= 0)) return null;
  return Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, seconds));
}
