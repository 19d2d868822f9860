import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** Pages load one stylesheet and one icon, send forms, and do nothing else. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
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

/** Sets the headers that limit what browsers may do with a page. Nothing keeps a copy of it. */
export function pageHeaders(request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  protect(request, response, next);
}
