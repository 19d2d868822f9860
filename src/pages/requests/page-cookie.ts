import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import type { HttpConfig } from '../../config/groups/http-config.js';

const NAME = 'slipway';
/** Milliseconds. As long as a session can last; the server decides when it really ends. */
const MAX_AGE = 90 * 24 * 60 * 60 * 1000;
const anonymous = /^anon_[\w-]{22}$/;

/** The value of a cookie of this server in the request; `null` when it is absent. */
export function readPageCookie(config: HttpConfig, request: Request, name = NAME): string | null {
  return parseCookie(request.headers.cookie ?? '')[nameFor(config, request, name)] ?? null;
}

/**
 * Sets a cookie. Scripts cannot read it, forms of other sites do not send it, and over https it is for this host alone.
 *
 * @param maxAge milliseconds until the browser drops it; 0 removes it
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

/** Makes a cookie for a visitor who has not signed in: forms need one to bind their tokens to. */
export function createAnonymousCookie(): string {
  return `anon_${randomBytes(16).toString('base64url')}`;
}

/** Whether `createAnonymousCookie` can have made this value. */
export function isAnonymousCookie(value: string): boolean {
  return anonymous.test(value);
}

function nameFor(config: HttpConfig, request: Request, name: string): string {
  return isHttps(config, request) ? `__Host-${name}` : name;
}

function isHttps(config: HttpConfig, request: Request): boolean {
  return publicUrl(config, request).startsWith('https://');
}
