import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

type Source = string | ((request: IncomingMessage, response: ServerResponse) => string);
type Directives = Readonly<Record<string, readonly Source[]>>;

/** A source of a directive: what carries the nonce of the response. */
export const withNonce: Source = (_, response) => `'nonce-${nonceOf(response as Response)}'`;

/** The nonce of a response, by which its scripts and styles run. Another one for each response. */
export function nonceOf({ locals }: Response): string {
  return (locals['nonce'] ??= randomBytes(18).toString('base64')) as string;
}

/**
 * Sets the headers that limit what browsers may do with a page. Nothing keeps a copy of it.
 *
 * @param directives of the Content-Security-Policy, besides those of all pages
 */
export function pageHeadersWith(directives: Directives): RequestHandler {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        ...directives,
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Not `no-referrer`: browsers would hide the origin of the forms of this server, too.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Browsers ignore both over http, with a warning. See below.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    // The proxy that serves https decides for how long its host must be reached by https only.
    strictTransportSecurity: false,
  });
  return (request: Request, response: Response, next: NextFunction) => {
    response.set('Cache-Control', 'no-store');
    if (request.secure) {
      response.set({ 'Cross-Origin-Opener-Policy': 'same-origin', 'Origin-Agent-Cluster': '?1' });
    }
    protect(request, response, next);
  };
}

/** Pages load one stylesheet and one icon, send forms, and do nothing else. */
export const pageHeaders = pageHeadersWith({
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  formAction: ["'self'"],
});
