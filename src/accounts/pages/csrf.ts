import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The token that a form must send: bound to the cookie, and of no use without it. */
export function csrfToken(key: Buffer, cookie: string): string {
  return createHmac('sha256', key).update(cookie).digest('base64url');
}

/** Whether a form sent the token of the cookie. */
export function isCsrfToken(key: Buffer, cookie: string, sent: unknown): boolean {
  const expected = Buffer.from(csrfToken(key, cookie));
  const actual = Buffer.from(typeof sent === 'string' ? sent : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * Whether a form comes from a page of ours, by what the browser says of itself (`Sec-Fetch-Site`, `Origin`). Programs
 * that say neither are no browsers, and no danger.
 *
 * @param ownOrigins origins under which our pages are reached
 */
export function isSameOrigin(request: Request, ownOrigins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = request.headers;
  return origin === undefined || ownOrigins.includes(origin);
}
