import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type OutboundAllowance,
  type OutboundPurpose,
  parseOutboundAllow,
} from '../../../config/outbound-allow.js';
import { isInNetworks } from '../../request-origin/networks.js';
import { METADATA_IPV4, METADATA_IPV6 } from './metadata-addresses.js';

const METADATA = [...METADATA_IPV4, ...METADATA_IPV6];

/** IPv6 networks whose last 32 bits are an IPv4 address that the packet reaches: mapped (RFC 4291), NAT64 (RFC 6052). */
const EMBEDDING = ['::ffff:0:0/96', '64:ff9b::/96'];

/** What IANA has given out for the internet. */
const GLOBAL_UNICAST = ['2000::/3'];

/** `allowed`: the operator named it; `public`; `refused`; `never`: a metadata service, which no entry allows. */
export type Verdict = 'allowed' | 'public' | 'refused' | 'never';

/** Names that only mean something inside a network. */
const LOCAL_NAME = /^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home|corp|arpa)$/;
/** Names of this machine (RFC 6761, 6.3). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i;
/** The metadata service of Google Cloud, whatever it resolves to. */
const METADATA_NAME = /^metadata\.google\.internal$/;

/** Which destinations the operator allows beyond the public internet. */
export class DestinationRules {
  private readonly entries: readonly OutboundAllowance[];

  /** @param allow the value of `OUTBOUND_ALLOW`; `null`: nothing */
  constructor(allow: string | null) {
    this.entries = allow === null ? [] : (parseOutboundAllow(allow) ?? []);
  }

  /**
   * Judges a destination after its name is resolved. A name with even one bad address is refused.
   *
   * @param host the name or literal address that the user wrote
   * @param addresses what it resolves to, at least one
   */
  judge(purpose: OutboundPurpose, host: string, addresses: readonly string[]): Verdict {
    const effective = addresses.map(effectiveAddress);
    if (effective.some(isMetadataAddress)) return 'never';
    if (effective.length === 0) return 'refused';
    const entries = this.entriesFor(purpose);
    if (entries.some((entry) => entry.host !== null && matchesHost(entry.host, host))) return 'allowed';
    const networks = entries.flatMap(({ network }) => network ?? []);
    if (effective.every((address) => isInNetworks(address, networks))) return 'allowed';
    const isFine = (address: string) => isPublicAddress(address) || isInNetworks(address, networks);
    return effective.every(isFine) ? 'public' : 'refused';
  }

  /** As `judge`, before a name is resolved: `public` when only its addresses can show more. */
  judgeUnresolved(purpose: OutboundPurpose, host: string): Verdict {
    if (isIP(host) !== 0) return this.judge(purpose, host, [host]);
    if (LOOPBACK_NAME.test(host)) return this.judge(purpose, host, ['127.0.0.1']);
    const verdict = this.judgeName(purpose, host);
    return verdict === 'refused' ? 'public' : verdict;
  }

  /** As `judge`, for a name that a proxy resolves. */
  judgeName(purpose: OutboundPurpose, host: string): Verdict {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (METADATA_NAME.test(name)) return 'never';
    const isNamed = this.entriesFor(purpose).some(
      (entry) => entry.host !== null && matchesHost(entry.host, name),
    );
    if (isNamed) return 'allowed';
    return LOCAL_NAME.test(name) ? 'refused' : 'public';
  }

  private entriesFor(purpose: OutboundPurpose): OutboundAllowance[] {
    return this.entries.filter((entry) => entry.purpose === null || entry.purpose === purpose);
  }
}

function matchesHost(pattern: string, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

/** An IP address without its zone; the IPv4 address that it embeds, if it embeds one. @param address valid */
function effectiveAddress(address: string): string {
  const [plain = ''] = address.split('%');
  const parsed = ipaddr.parse(plain);
  if (parsed.kind() === 'ipv4' || !isInNetworks(plain, EMBEDDING)) return parsed.toString();
  return ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString();
}

/** Whether the address is a metadata service, which is never called. @param address from `effectiveAddress` */
function isMetadataAddress(address: string): boolean {
  return isInNetworks(address, METADATA);
}

/**
 * Whether the address is on the public internet: not loopback, link-local, private, shared (CGNAT), multicast, reserved,
 * nor one that reaches another address (6to4, Teredo).
 *
 * @param address from `effectiveAddress`
 */
function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isMetadataAddress(address)) return false;
  return parsed.kind() === 'ipv4' || isInNetworks(address, GLOBAL_UNICAST);
}
