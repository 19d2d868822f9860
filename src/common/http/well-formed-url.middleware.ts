import type { NextFunction, Request, Response } from 'express';
import { malformedText } from '../validation/well-formed.js';

/** Refuses addresses that are not well-formed. */
export function wellFormedUrl(request: Request, _response: Response, next: NextFunction): void {
  if (!isWellFormedUrl(request.originalUrl)) throw malformedText();
  next();
}

/** Whether an address is percent-encoded UTF-8 that hides no NUL character. */
export function isWellFormedUrl(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}
