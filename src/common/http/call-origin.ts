import type { Application, Request } from 'express';
import { clientInfo } from './client-info.js';
import { type ProxyTrust, statedCountry } from './proxy-trust.js';

/** Where a request comes from. */
export interface CallOrigin {
  /** IPv4 or IPv6, through trusted proxies that of the client; `null`: unknown. */
  readonly address: string | null;
  /** ISO 3166-1 alpha-2 in upper case, as a trusted proxy says; `null`: unknown. */
  readonly country: string | null;
}

/**
 * Where a request comes from, as far as the proxies are trusted.
 *
 * @param countryHeader header in which the proxy states the country; it is believed only when the connection comes from
 *   a proxy that `TRUST_PROXY` names
 */
export function originOf(request: Request, countryHeader: string | null): CallOrigin {
  return {
    // Without the zone of a link-local address.
    address: clientInfo(request).address?.split('%', 1)[0] ?? null,
    country: statedCountry(request, countryHeader, proxyTrustOf(request)),
  };
}

/** What `TRUST_PROXY` says, as Express has understood it. */
export function proxyTrustOf({ app }: { readonly app: Application }): ProxyTrust {
  return app.get('trust proxy fn') as ProxyTrust;
}
