import { isIPv4 } from 'node:net';
import type { Request } from 'express';

/** Where a request comes from. */
export interface CallOrigin {
  /** IPv4 or IPv6; an IPv4 address never in its IPv6 form. */
  readonly address: string;
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
  const trusts = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const stated = countryHeader === null ? undefined : request.headers[countryHeader.toLowerCase()];
  const believed = typeof stated === 'string' && trusts(request.socket.remoteAddress ?? '', 0);
  return {
    address: plainAddress(request.ip ?? request.socket.remoteAddress ?? ''),
    country: believed && /^[a-z]{2}$/i.test(stated) ? stated.toUpperCase() : null,
  };
}

/** Without the zone of a link-local address, and IPv4 out of its IPv6 form (`::ffff:192.0.2.1`). */
function plainAddress(address: string): string {
  const [plain = ''] = address.split('%', 1);
  const embedded = plain.replace(/^::ffff:/i, '');
  return isIPv4(embedded) ? embedded : plain;
}
