import type { NextFunction, Request, Response } from 'express';

/** Keeps browsers from guessing another content type than the stated one: a response is never run as a page. */
export function noSniff(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
