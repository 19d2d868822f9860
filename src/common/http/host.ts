import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { InvalidRequestError } from '../errors/app-error.js';

/** Whether a request names several hosts. Node.js drops all but the first, and a proxy may have used another one. */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Refuses requests with several `Host` headers (RFC 9112, section 3.2). */
export function refuseSeveralHosts(request: Request, _response: Response, next: NextFunction): void {
  if (hasSeveralHosts(request)) throw new InvalidRequestError('The request has more than one Host header.');
  next();
}
