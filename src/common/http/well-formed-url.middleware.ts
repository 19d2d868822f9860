import type { NextFunction, Request, Response } from 'express';
import { malformedText } from '../validation/well-formed.js';

/** Refuses addresses that are not percent-encoded UTF-8, or that hide a NUL character. */
export function wellFormedUrl(request: Request, _response: Response, next: NextFunction): void {
  if (request.originalUrl.includes('%')) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(request.originalUrl);
    } catch {
      throw malformedText();
    }
    if (decoded.includes('\0')) throw malformedText();
  }
  next();
}
