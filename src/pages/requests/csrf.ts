import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The token that a form must send. It is bound to the cookie and useless without it. */
export function csrfToken(key: Buffer, cookie: string): string {
  return createHmac('sha256', key).update(cookie).digest('base64url');
}

/** Whether a form sent the token that belongs to the cookie. */
export function isCsrfToken(key: Buffer, cookie: string, sent: unknown): boolean {
  const expected = Buffer.from(csrfToken(key, cookie));
  const actual = Buffer.from(typeof sent === 'string' ? sent : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * Whether a form comes from a page of this server, by the headers `Sec-Fetch-Site` and `Origin` that browsers set. A
 * request with neither does not come from a browser, so no other site can have caused it.
 *
 * @param ownOrigins origins under which browsers reach this server
 */
export function isSameOrigin(request: Request, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = request.headers;
  return origin === undefined || ownOrigins.includes(origin);
}
