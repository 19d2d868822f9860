import type { Request } from 'express';

/** Who sent a request, as far as the connection and the headers tell. */
export interface Client {
  /** IP address. Behind a proxy it is the client's only with `TRUST_PROXY`. */
  readonly address: string;
  /** The program's name for itself; nothing to rely on. */
  readonly userAgent: string | null;
}

const MAX_USER_AGENT_LENGTH = 256;

/** Where a request comes from, ready to be stored and shown. */
export function clientOf(request: Request): Client {
  const userAgent = (request.headers['user-agent'] ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_USER_AGENT_LENGTH);
  // IPv4 clients of a socket that also serves IPv6.
  const address = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  return { address, userAgent: userAgent === '' ? null : userAgent };
}
