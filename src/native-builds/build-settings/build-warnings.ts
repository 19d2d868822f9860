import type { Warning } from '../../common/warnings/warning.js';
import type { Certificate } from '../certificates/certificate.entity.js';
import type { ProvisioningProfile } from '../provisioning-profiles/provisioning-profile.entity.js';

/** Of which there are warnings. */
const MAX_PROFILES = 10;
const WARNED_MS = 30 * 24 * 3600 * 1000;

/** A warning about a certificate that has expired, or does so within 30 days. @param now the time of the build */
export function findCertificateWarnings(
  { name, expiresAt }: Pick<Certificate, 'name' | 'expiresAt'>,
  now: Date,
): Warning[] {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() > WARNED_MS) return [];
  const day = expiresAt.toISOString().slice(0, 10);
  const consequence = 'The build is signed with it all the same, but stores can refuse it.';
  return expiresAt <= now
    ? [{ code: 'certificate_expired', message: `The certificate ${name} expired on ${day}. ${consequence}` }]
    : [{ code: 'certificate_expires', message: `The certificate ${name} expires on ${day}. ${consequence}` }];
}

/** Warnings about provisioning profiles that expire within 30 days. @param profiles that have not expired */
export function findProfileWarnings(
  profiles: readonly Pick<ProvisioningProfile, 'name' | 'expiresAt' | 'type'>[],
  now: Date,
): Warning[] {
  return profiles
    .filter(({ expiresAt }) => expiresAt.getTime() - now.getTime() <= WARNED_MS)
    .slice(0, MAX_PROFILES)
    .map(({ name, expiresAt, type }) => ({
      code: 'provisioning_profile_expires',
      message:
        `The provisioning profile ${name} expires on ${expiresAt.toISOString().slice(0, 10)}. ` +
        (type === 'app-store'
          ? 'Make a new one in time.'
          : 'Apps that are signed with it stop to start then.'),
    }));
}
