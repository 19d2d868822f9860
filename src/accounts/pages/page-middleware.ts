import { urlencoded } from 'express';
import { pageHeaders } from './page-headers.middleware.js';

/** Largest form, in bytes. */
const MAX_FORM = 16 * 1024;

/** What every controller of pages needs in front of it. Only pages read forms. */
export const pageMiddleware = [
  pageHeaders,
  urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 20 }),
] as const;
