import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { METADATA_IPV4 } from '../../../common/http/outbound/metadata-addresses.js';

/** The network of a sandbox. Each has its own network namespace, so all have the same. */
export const SANDBOX_NETWORK = '198.18.0.0/24';
/** slirp4netns, which forwards to the machine's network. */
export const GATEWAY = '198.18.0.2';
/** Where slirp4netns answers DNS. */
export const NAME_SERVER = '198.18.0.3';
export const INTERFACE = 'tap0';

/** What is not the public internet: the special-purpose addresses of IANA. */
const CLOSED_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const METADATA = METADATA_IPV4.map((address) => `${address}/32`);

/** The routing table of what is open on one port only. */
const PORTS_TABLE = 100;

/** A TCP port of an address that is open, although the address is closed. */
export interface OpenPort {
  /** IPv4. */
  readonly address: string;
  readonly port: number;
}

/** The IPv4 addresses of this machine besides loopback: slirp4netns would connect to them from the machine itself. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

/**
 * The routes of a sandbox, as lines for `ip -batch`. The longest prefix decides: an allowed network opens no metadata
 * service, and an address of the machine itself only if it is named alone.
 *
 * @param allowed IPv4 networks in CIDR notation
 * @param own IPv4 addresses of the machine
 * @param ports what else is open
 */
export function routeCommands(
  allowed: readonly string[],
  own: readonly string[],
  ports: readonly OpenPort[] = [],
): string[] {
  const open = new Set(allowed.filter((network) => !METADATA.includes(network)));
  const closed = new Set([
    ...CLOSED_NETWORKS.filter((network) => ![...open].some((other) => contains(other, network))),
    ...own.map((address) => `${address}/32`).filter((network) => !open.has(network)),
    ...METADATA,
  ]);
  return [
    `route replace default via ${GATEWAY} dev ${INTERFACE} onlink`,
    `route add ${NAME_SERVER}/32 dev ${INTERFACE}`,
    `route del ${SANDBOX_NETWORK} dev ${INTERFACE}`,
    ...[...closed].map((network) => `route add unreachable ${network}`),
    ...[...open]
      .filter((network) => network !== '0.0.0.0/0')
      .map((network) => `route add ${network} via ${GATEWAY} dev ${INTERFACE} onlink`),
    ...portCommands(ports),
  ];
}

/** Rules that send what goes to a port to a separate table, before the routes that close the address count. */
function portCommands(ports: readonly OpenPort[]): string[] {
  if (ports.length === 0) return [];
  return [
    `route add default via ${GATEWAY} dev ${INTERFACE} onlink table ${PORTS_TABLE}`,
    ...ports.map(
      ({ address, port }) => `rule add to ${address}/32 ipproto tcp dport ${port} lookup ${PORTS_TABLE}`,
    ),
  ];
}

/** Whether an address is that of a metadata service, which nothing opens. @param address IPv4 */
export function isMetadata(address: string): boolean {
  return METADATA.includes(`${address}/32`);
}

/** Whether an address is in the network of the sandbox itself. @param address IPv4 */
export function isSandbox(address: string): boolean {
  return ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(SANDBOX_NETWORK));
}

/** Whether routes close the address. @param address IPv4 */
export function isClosed(address: string, allowed: readonly string[], own: readonly string[]): boolean {
  if (isMetadata(address)) return true;
  const isIn = (network: string) => ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(network));
  if (allowed.includes(`${address}/32`)) return false;
  if (own.includes(address) || address.startsWith('127.')) return true;
  return CLOSED_NETWORKS.some(isIn) && !allowed.some(isIn);
}

function contains(outer: string, inner: string): boolean {
  const [address, bits] = ipaddr.IPv4.parseCIDR(inner);
  const [outerAddress, outerBits] = ipaddr.IPv4.parseCIDR(outer);
  return outerBits <= bits && address.match(outerAddress, outerBits);
}
