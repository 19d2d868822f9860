import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import type { HttpConfig } from '../../config/config.js';

const NAME = 'slipway';
/** As long as a session can last; the server decides when it really ends. */
const MAX_AGE = 90 * 24 * 60 * 60 * 1000;
const visitor = /^anon_[\w-]{22}$/;

/** The value of our cookie in the request; `null` when it is absent. */
export function readPageCookie(config: HttpConfig, request: Request, name = NAME): string | null {
  const start = `${nameFor(config, request, name)}=`;
  const pair = (request.headers.cookie ?? '').split(/; */).find((text) => text.startsWith(start));
  return pair?.slice(start.length) ?? null;
}

/**
 * Sets the cookie: out of reach for scripts, not sent along by other sites' forms, and, where the page is served by
 * https, for this host alone.
 *
 * @param maxAge milliseconds until the browser forgets it
 */
export function writePageCookie(
  config: HttpConfig,
  request: Request,
  response: Response,
  value: string,
  name = NAME,
  maxAge = MAX_AGE,
): void {
  response.cookie(nameFor(config, request, name), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(config, request),
    path: '/',
    maxAge,
  });
}

/** A value for somebody who has not signed in: what the tokens in forms are bound to. */
export function newVisitor(): string {
  return `anon_${randomBytes(16).toString('base64url')}`;
}

/** Whether it is a value that `newVisitor` may have made. */
export function isVisitor(value: string): boolean {
  return visitor.test(value);
}

function nameFor(config: HttpConfig, request: Request, name: string): string {
  return isHttps(config, request) ? `__Host-${name}` : name;
}

function isHttps(config: HttpConfig, request: Request): boolean {
  return publicUrl(config, request).startsWith('https://');
}
