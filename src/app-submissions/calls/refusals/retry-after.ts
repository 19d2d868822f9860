import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from './refusal.js';

/** A store cannot hold a submission for longer than this at a time, in seconds. */
const MAX_SECONDS = 3600;

/** The seconds that `Retry-After` asks for, from 1 to an hour; `null`: it is absent or invalid. */
export function retryAfterOf(headers: IncomingHttpHeaders, now = Date.now()): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 1), MAX_SECONDS);
}

/** A refusal that waits no shorter than the store asks for. */
export function withRetryAfter(refusal: Refusal, headers: IncomingHttpHeaders): Refusal {
  const asked = retryAfterOf(headers);
  if (refusal.retry !== 'again' || asked === null) return refusal;
  return { ...refusal, afterSeconds: Math.max(asked, refusal.afterSeconds ?? 0) };
}
