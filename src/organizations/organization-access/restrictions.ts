import { BlockList, isIP } from 'node:net';
import { ForbiddenError } from '../../common/errors/app-error.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';

/** From where members may use an organization. */
export interface Restrictions {
  /** Addresses and networks in CIDR notation; `null`: every address. */
  readonly ipAllowlist: readonly string[] | null;
  /** ISO 3166-1 alpha-2 codes in upper case; `null`: every country. */
  readonly countryAllowlist: readonly string[] | null;
}

/**
 * Why an organization may not be used from somewhere; `null`: it may. Whatever is unknown is refused where it matters.
 *
 * @param origin `undefined`: not known
 */
export function findViolation(
  { ipAllowlist, countryAllowlist }: Restrictions,
  origin: RequestOrigin | undefined,
): ForbiddenError | null {
  const { address, country } = origin ?? { address: null, country: null };
  if (ipAllowlist !== null && (address === null || !contains(ipAllowlist, address))) {
    const message = `The organization may not be used from your address (${address ?? 'unknown'}).`;
    return new ForbiddenError(message, 'address_not_allowed');
  }
  if (countryAllowlist !== null && (country === null || !countryAllowlist.includes(country))) {
    const message = `The organization may not be used from your country (${country ?? 'unknown'}).`;
    return new ForbiddenError(message, 'country_not_allowed');
  }
  return null;
}

function contains(list: readonly string[], address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const networks = new BlockList();
  for (const entry of list) {
    const [network = '', prefix] = entry.split('/');
    const ofFamily = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    networks.addSubnet(
      network,
      prefix === undefined ? (ofFamily === 'ipv6' ? 128 : 32) : Number(prefix),
      ofFamily,
    );
  }
  return networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
