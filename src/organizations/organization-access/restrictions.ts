import { ForbiddenError } from '../../common/errors/app-error.js';
import { isInNetworks } from '../../common/request-origin/networks.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Suspension } from '../members/members.queries.js';

/** Where members may use an organization from. */
export interface Restrictions {
  /** Addresses and networks in CIDR notation; `null`: every address. */
  readonly ipAllowlist: readonly string[] | null;
  /** ISO 3166-1 alpha-2 codes in upper case; `null`: every country. */
  readonly countryAllowlist: readonly string[] | null;
}

/**
 * Finds the restriction that a caller violates. An unknown address or country is on no list.
 *
 * @param origin `undefined`: unknown
 * @returns `null` when the caller may use the organization
 */
export function findViolation(
  { ipAllowlist, countryAllowlist }: Restrictions,
  origin: RequestOrigin | undefined,
): ForbiddenError | null {
  const { address, country } = origin ?? { address: null, country: null };
  if (ipAllowlist !== null && !isInNetworks(address, ipAllowlist)) {
    const message = `The organization may not be used from your address (${address ?? 'unknown'}).`;
    return new ForbiddenError(message, 'address_not_allowed');
  }
  if (countryAllowlist !== null && (country === null || !countryAllowlist.includes(country))) {
    const message = `The organization may not be used from your country (${country ?? 'unknown'}).`;
    return new ForbiddenError(message, 'country_not_allowed');
  }
  return null;
}

/** @throws ForbiddenError when the operator has suspended the organization */
export function requireNotSuspended({ isSuspended, suspensionReason }: Suspension): void {
  if (!isSuspended) return;
  const reason = suspensionReason === null ? '' : `: ${suspensionReason.replace(/[.\s]+$/, '')}`;
  const message = `The operator of this server has suspended the organization${reason}.`;
  throw new ForbiddenError(message, 'organization_suspended');
}
