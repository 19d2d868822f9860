import { isIP } from 'node:net';
import type { Application, Request } from 'express';
import { type ProxyTrust, statedCountry } from './proxy-trust.js';

/** Longest user agent that is kept, in characters. */
export const MAX_USER_AGENT_LENGTH = 255;

/** Where a request comes from, as far as the proxies are trusted: fit to show, not to authorize by. */
export interface RequestOrigin {
  /** IPv4 or IPv6 address without a zone, behind trusted proxies that of the client; `null`: unknown. */
  readonly address: string | null;
  /** The header `User-Agent` in printable ASCII, cut to 255 characters; `null`: none. */
  readonly userAgent: string | null;
  /** ISO 3166-1 alpha-2 in upper case, as a trusted proxy states it; `null`: unknown. */
  readonly country: string | null;
}

/**
 * Reads where a request comes from. An IPv4 address that arrives at an IPv6 socket is written as IPv4.
 *
 * @param countryHeader header in which the proxy states the country, for callers that need it; it is trusted only when
 *   the connection comes from a proxy that `TRUST_PROXY` names
 */
export function requestOriginOf(request: Request, countryHeader: string | null = null): RequestOrigin {
  const [address = ''] = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1);
  const userAgent = request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').trim();
  return {
    address: isIP(address) === 0 ? null : address,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) || null,
    country: countryHeader === null ? null : statedCountry(request, countryHeader, proxyTrustOf(request)),
  };
}

/** How Express reads `TRUST_PROXY`. */
export function proxyTrustOf({ app }: { readonly app: Application }): ProxyTrust {
  return app.get('trust proxy fn') as ProxyTrust;
}
