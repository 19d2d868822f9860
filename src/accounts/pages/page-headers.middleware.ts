import type { NextFunction, Request, Response } from 'express';

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Not `no-referrer`: with it browsers hide the origin of our own forms, too.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

/** What browsers may do with our pages: next to nothing. */
export function pageHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set(headers);
  next();
}
