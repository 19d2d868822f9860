import type { IncomingHttpHeaders } from 'node:http';

/** More calls in an hour than Apple would ever allow. */
const MAX_LIMIT = 1_000_000;

/** What `X-Rate-Limit` says: `user-hour-lim:3600;user-hour-rem:3545;`. */
export interface RateLimit {
  readonly hourLimit: number;
  readonly remaining: number;
}

/** @returns `null`: the header is absent, or says something else */
export function rateLimitOf(headers: IncomingHttpHeaders): RateLimit | null {
  const text = String(headers['x-rate-limit'] ?? '').slice(0, 500);
  const numberOf = (name: string): number | null => {
    const [, digits] = new RegExp(`(?:^|;)\\s*${name}:\\s*(\\d{1,9})\\s*(?:;|$)`).exec(text) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const [hourLimit, remaining] = [numberOf('user-hour-lim'), numberOf('user-hour-rem')];
  if (hourLimit === null || remaining === null || hourLimit < 1 || hourLimit > MAX_LIMIT) return null;
  return { hourLimit, remaining: Math.min(remaining, hourLimit) };
}
