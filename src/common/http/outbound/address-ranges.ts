import ipaddr from 'ipaddr.js';
import { isInNetworks } from '../../request-origin/networks.js';
import { METADATA_IPV4, METADATA_IPV6 } from './metadata-addresses.js';

const METADATA = [...METADATA_IPV4, ...METADATA_IPV6];

/** IPv6 networks whose last 32 bits are an IPv4 address that the packet reaches: mapped (RFC 4291), NAT64 (RFC 6052). */
const EMBEDDING = ['::ffff:0:0/96', '64:ff9b::/96'];

/** What IANA has given out for the internet. */
const GLOBAL_UNICAST = ['2000::/3'];

/** An IP address without its zone; the IPv4 address that it embeds, if it embeds one. @param address valid */
export function effectiveAddress(address: string): string {
  const [plain = ''] = address.split('%');
  const parsed = ipaddr.parse(plain);
  if (parsed.kind() === 'ipv4' || !isInNetworks(plain, EMBEDDING)) return parsed.toString();
  return ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString();
}

/** Whether the address is a metadata service, which is never called. @param address from `effectiveAddress` */
export function isMetadataAddress(address: string): boolean {
  return isInNetworks(address, METADATA);
}

/**
 * Whether the address is on the public internet: not loopback, link-local, private, shared (CGNAT), multicast, reserved,
 * nor one that reaches another address (6to4, Teredo).
 *
 * @param address from `effectiveAddress`
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isMetadataAddress(address)) return false;
  return parsed.kind() === 'ipv4' || isInNetworks(address, GLOBAL_UNICAST);
}
