import type { NextFunction, Request, Response } from 'express';
import { CHECKSUM_HEADER } from '../bundle-content/integrity-headers.js';

const DOWNLOAD = /^\/v1\/apps\/[^/]+\/bundles\/[^/]+\/download(\/|$)/i;
/** SHA-256 of nothing that was ever found. */
const NO_CHECKSUM = '0'.repeat(64);

/**
 * Gives every response of a download route a checksum that no body has, until the file that is sent replaces it. The iOS plugins
 * of Capacitor before 8.4.0 and of Cordova save the body of an error as the file, and compare it with the checksum only if
 * there is one.
 */
export function failSafely(request: Request, response: Response, next: NextFunction): void {
  if (DOWNLOAD.test(request.path)) response.setHeader(CHECKSUM_HEADER, NO_CHECKSUM);
  next();
}
