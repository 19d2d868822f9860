import type { Request } from 'express';
import type { HttpConfig } from '../../config/groups/http-config.js';
import { proxyTrustOf } from './request-origin.js';
import { requestedOrigin } from './proxy-trust.js';

/**
 * The origin under which the caller reaches the API: `PUBLIC_URL`, else what the request itself says (through a
 * trusted proxy: `X-Forwarded-Proto` and `X-Forwarded-Host`).
 */
export function publicUrl(config: HttpConfig, request: Request): string {
  return config.publicUrl ?? requestedOrigin(request, proxyTrustOf(request));
}
