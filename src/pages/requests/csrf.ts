import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { type Config, encryptionKeyOf } from '../../config/config.js';
import type { HttpConfig } from '../../config/groups/http-config.js';

/** The header in which a script of a page sends the token. */
export const CSRF_HEADER = 'x-csrf-token';

/** The key of the tokens that pages send. */
export function csrfKeyOf(config: Config): Buffer {
  return deriveKey(encryptionKeyOf(config), 'forms');
}

/** The token that a form or a script must send. It is bound to the cookie and useless without it. */
export function csrfToken(key: Buffer, cookie: string): string {
  return createHmac('sha256', key).update(cookie).digest('base64url');
}

/** Whether a form or a script sent the token that belongs to the cookie. */
export function isCsrfToken(key: Buffer, cookie: string, sent: unknown): boolean {
  const expected = Buffer.from(csrfToken(key, cookie));
  const actual = Buffer.from(typeof sent === 'string' ? sent : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * Whether a form comes from a page of this server, by the headers `Sec-Fetch-Site` and `Origin` that browsers set. A
 * request with neither does not come from a browser, so no other site can have caused it.
 */
export function isSameOrigin(config: HttpConfig, request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = request.headers;
  // A proxy may change the host of requests, so `PUBLIC_URL` counts besides what the request itself says.
  return (
    origin === undefined ||
    origin === publicUrl(config, request) ||
    origin === `${request.protocol}://${request.host}`
  );
}
