import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { ProxyTrust } from './proxy-trust.js';

/** Characters of `X-Forwarded-For` that are kept: the last ones, which the nearest proxies wrote. */
const KEPT_LENGTH = 128;

/** How a request arrived: enough to find the address of the client later. Few requests need it. */
export interface ClientConnection {
  /** The other end of the connection. */
  readonly remoteAddress: string;
  /** `X-Forwarded-For`, or the end of it; `null`: none. */
  readonly forwardedFor: string | null;
  readonly trusts: ProxyTrust;
}

/** All requests of a connection that no proxy has forwarded arrive the same way. */
const direct = new WeakMap<Socket, ClientConnection>();

/** Reads how a request arrived. @param trusts the same for all requests of a connection */
export function clientConnectionOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusts: ProxyTrust,
): ClientConnection {
  // Node.js joins this header to one text.
  const forwardedFor = headers['x-forwarded-for'] as string | undefined;
  if (forwardedFor !== undefined) {
    const kept = forwardedFor.length > KEPT_LENGTH ? endOf(forwardedFor) : forwardedFor;
    return { remoteAddress: socket.remoteAddress ?? '', forwardedFor: kept, trusts };
  }
  let connection = direct.get(socket);
  if (connection === undefined) {
    connection = { remoteAddress: socket.remoteAddress ?? '', forwardedFor: null, trusts };
    direct.set(socket, connection);
  }
  return connection;
}

/**
 * The address of the client, as Express finds it, with IPv4 in its own form and without a zone. `null`: unknown. Without
 * a trusted proxy, an address of a private network is unknown, too: it is probably the proxy's.
 */
export function clientAddressOf({ remoteAddress, forwardedFor, trusts }: ClientConnection): string | null {
  const chain = [remoteAddress, ...(forwardedFor?.split(',').reverse() ?? [])].map(plainAddress);
  let hop = 0;
  while (hop < chain.length - 1 && trusts(chain[hop] ?? '', hop)) hop++;
  const address = chain[hop] ?? '';
  if (isIP(address) === 0) return null;
  return hop === 0 && ipaddr.parse(address).range() !== 'unicast' ? null : address;
}

/** Whether a proxy that is not trusted seems to have forwarded the request, so that the client's address is unknown. */
export function isBehindUnknownProxy(connection: ClientConnection): boolean {
  return connection.forwardedFor !== null && clientAddressOf(connection) === null;
}

function plainAddress(text: string): string {
  const [address = ''] = text.trim().split('%', 1);
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** A copy, because a part of a text keeps the whole. */
function endOf(text: string): string {
  return Buffer.from(text.slice(-KEPT_LENGTH), 'latin1').toString('latin1');
}
