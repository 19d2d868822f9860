import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

type Directives = Readonly<Record<string, readonly string[]>>;

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
    // The proxy that serves https decides for how long its host must be reached by https only.
    strictTransportSecurity: false,
  });
  return (request: Request, response: Response, next: NextFunction) => {
    response.set('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}

/** Pages load one stylesheet and one icon, send forms, and do nothing else. */
export const pageHeaders = pageHeadersWith({
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  formAction: ["'self'"],
});
