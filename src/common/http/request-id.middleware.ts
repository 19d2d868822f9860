import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/**
 * Harmless in a log: without anything that looks like a token, a license key or a JWT, which may have been sent in the
 * wrong header.
 */
const acceptable = /^(?!.*(?:ca_|ses_|web_|SLIP-|eyJ))[A-Za-z0-9._:/+=-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** The id of a request; further calls return the same one. */
export function requestIdOf(request: IncomingMessage): string {
  let id = ids.get(request);
  if (id === undefined) ids.set(request, (id = chooseRequestId(request)));
  return id;
}

/** An id for a request: the caller's `X-Request-Id` when it is 1 to 128 harmless characters, else a new UUID. */
export function chooseRequestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
}

/** Returns the request's id to the caller in `X-Request-Id`. */
export function requestId(request: Request, response: Response & ServerResponse, next: NextFunction): void {
  response.setHeader('X-Request-Id', requestIdOf(request));
  next();
}
