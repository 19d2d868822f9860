import type { NextFunction, Request, Response } from 'express';
import { errorOf, NotFoundError } from '../errors/app-error.js';

/** Update checks give every device its response, so their route reads queries with NUL characters, too. */
const UPDATE_CHECK = /^\/v1\/apps\/[\w-]+\/bundles\/latest\?/i;

/**
 * Refuses addresses that are not well-formed, and paths that are another one once they are normalized (RFC 3986, section
 * 5.2.4): clients and proxies do that. An id `..` in a path leaves the address of what contains the object, with a slash
 * at its end, so such a path matches no route. Pages are redirected.
 */
export function wellFormedUrl(request: Request, response: Response, next: NextFunction): void {
  const { originalUrl: url, path, method } = request;
  if (!(UPDATE_CHECK.test(url) ? isPercentEncoded(url) : isWellFormedUrl(url)))
    throw errorOf('malformed_text');
  if (isNormalPath(path)) return next();
  const page = path.slice(0, -1);
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const isPage = (method === 'GET' || method === 'HEAD') && !/^\/v1(\/|$)/i.test(page);
  if (!isPage || !path.endsWith('/') || !isNormalPath(page)) throw new NotFoundError('Resource');
  response.redirect(308, page + query);
}

/**
 * Whether every segment of a path names something: none is empty, `.` or `..`, also in what an encoded slash or a
 * backslash divides.
 */
export function isNormalPath(path: string): boolean {
  if (path === '/') return true;
  const [before, ...segments] = decodeURIComponent(path).split(/[/\\]/);
  return before === '' && segments.every((segment) => !['', '.', '..'].includes(segment));
}

/** Whether an address is percent-encoded UTF-8 that hides no NUL character. */
export function isWellFormedUrl(url: string): boolean {
  if (!url.includes('%')) return true;
  return isPercentEncoded(url) && !decodeURIComponent(url).includes('\0');
}

/** Whether an address is percent-encoded UTF-8. */
function isPercentEncoded(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
