import { isIP } from 'node:net';
import type { Request } from 'express';

/** Longest name of a client that is kept, in characters. */
export const MAX_CLIENT_LENGTH = 255;

/** Where a request came from, as far as it says so itself: fit to be shown, not to be trusted. */
export interface ClientInfo {
  /** IPv4 or IPv6 address, through trusted proxies that of the client; `null`: unknown. */
  readonly address: string | null;
  /** The header `User-Agent`, cut to 255 characters; `null`: none. */
  readonly userAgent: string | null;
}

/** Tells where a request came from. An IPv4 address that arrives at an IPv6 socket is written as IPv4. */
export function clientInfo(request: Pick<Request, 'ip' | 'headers'>): ClientInfo {
  const address = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return {
    address: isIP(address) === 0 ? null : address,
    userAgent: request.headers['user-agent']?.slice(0, MAX_CLIENT_LENGTH) || null,
  };
}
