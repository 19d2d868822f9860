import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether the text is an IPv4 or IPv6 address, or a network in CIDR notation. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  // The library alone also accepts short forms of IPv4, such as `10.1`.
  return isIP(address) !== 0 && ipaddr.isValidCIDR(toNetwork(text));
}

/**
 * Whether the address is one of the addresses, or in one of the networks.
 *
 * @param address `null` and anything that is no address are in no network
 * @param networks texts that `isAddressOrNetwork` accepts
 */
export function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  if (address === null || isIP(address) === 0) return false;
  const listed = networks.map((network) => ipaddr.parseCIDR(toNetwork(network)));
  return ipaddr.subnetMatch(ipaddr.parse(address), { listed }, 'other') === 'listed';
}

/**
 * The network that counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, which is what one
 * connection gets. Unknown addresses count as one.
 */
export function networkOf(address: string | null): string {
  const [plain = ''] = (address ?? '').split('%');
  return isIPv6(plain) ? cidrOf(plain, 64) : plain;
}

/** The network that one customer of a provider has at most: the /24 network of an IPv4 address, the /48 of an IPv6 one. */
export function siteNetworkOf(address: string): string {
  return isIPv6(address) ? cidrOf(address, 48) : `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
}

function cidrOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}

function toNetwork(text: string): string {
  if (text.includes('/')) return text;
  return isIPv6(text) ? `${text}/128` : `${text}/32`;
}
