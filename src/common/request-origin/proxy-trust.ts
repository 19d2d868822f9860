import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Whether what a proxy at this address states is believed; `hop` counts from 0, the one that is connected. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Whether the connection comes from a proxy that `TRUST_PROXY` names. */
export function comesFromProxy({ socket }: IncomingMessage, trusts: ProxyTrust): boolean {
  return trusts(socket.remoteAddress ?? '', 0);
}

/** Scheme and host that the caller used, as Express finds them; without a `Host` (HTTP/1.0) the address it came to. */
export function requestedOrigin(request: IncomingMessage, trusts: ProxyTrust): string {
  const { headers, socket } = request;
  const believed = comesFromProxy(request, trusts);
  const own = (socket as TLSSocket).encrypted ? 'https' : 'http';
  const protocol = (believed && first(headers['x-forwarded-proto'])) || own;
  const host = (believed && first(headers['x-forwarded-host'])) || headers.host;
  return `${protocol}://${host || addressOf(socket)}`;
}

function addressOf({ localAddress = 'localhost', localPort }: Socket): string {
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}

/** The country that a trusted proxy states: ISO 3166-1 alpha-2 in upper case; `null`: unknown. */
export function statedCountry(
  request: IncomingMessage,
  header: string | null,
  trusts: ProxyTrust,
): string | null {
  const stated = header === null ? undefined : request.headers[header.toLowerCase()];
  const believed = typeof stated === 'string' && comesFromProxy(request, trusts);
  return believed && /^[a-z]{2}$/i.test(stated) ? stated.toUpperCase() : null;
}

/** Of a list of proxies, what the first of them has written. */
function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();
}
