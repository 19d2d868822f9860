import type { NextFunction, Request, Response } from 'express';
import { errorOf } from '../errors/app-error.js';

/** Update checks give every device its response, so their route reads queries with NUL characters, too. */
const UPDATE_CHECK = /^\/v1\/apps\/[\w-]+\/bundles\/latest\/?\?/i;

/** Refuses addresses that are not well-formed. */
export function wellFormedUrl(request: Request, _response: Response, next: NextFunction): void {
  const url = request.originalUrl;
  if (!(UPDATE_CHECK.test(url) ? isPercentEncoded(url) : isWellFormedUrl(url)))
    throw errorOf('malformed_text');
  next();
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
