import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isClosed, isMetadata, type OpenPort } from './routes.js';

/** A server such as a registry of npm, as the machine of the runner sees it. */
export interface NamedServer {
  readonly host: string;
  readonly port: number;
  /** IPv4, none of them loopback. */
  readonly addresses: readonly string[];
  /** Whether it is only on the loopback of the machine, which sandboxes do not have. */
  readonly isLoopback: boolean;
}

/**
 * The address of a registry as builds get it.
 *
 * @returns without credentials, query and fragment; `null`: the text is no http or https address
 */
export function registryUrlOf(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  const { origin, pathname } = url;
  return `${origin}${pathname.endsWith('/') ? pathname : `${pathname}/`}`;
}

/** Resolves the host of a server. @param address `http` or `https`, such as `registryUrlOf` returns */
export async function resolveServer(address: string): Promise<NamedServer> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(host, { all: true }).catch(() => []);
  const all = found.map(({ address }) => address);
  return {
    host,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    addresses: all.filter((address) => isIPv4(address) && !isLoopback(address)),
    isLoopback: all.length > 0 && all.every(isLoopback),
  };
}

/**
 * What to open so that builds reach a server: its port alone, and only where routes close its addresses. A metadata
 * service stays closed.
 *
 * @param allowed IPv4 networks in CIDR notation
 * @param own IPv4 addresses of the machine
 */
export function serverPorts(
  { addresses, port }: NamedServer,
  allowed: readonly string[],
  own: readonly string[],
): OpenPort[] {
  return addresses
    .filter((address) => isClosed(address, allowed, own) && !isMetadata(address))
    .map((address) => ({ address, port }));
}

/** Also the address that means all of a machine, which connects to the loopback. */
function isLoopback(address: string): boolean {
  return ['loopback', 'unspecified'].includes(ipaddr.process(address).range());
}
