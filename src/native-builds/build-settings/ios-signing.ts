import { listed } from '../../common/keystores/aliases.js';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { coversBundleId, type ProfileType } from '../../common/provisioning-profiles.js';
import type { Certificate } from '../certificates/certificate.entity.js';
import type { Configuration } from '../configurations/configuration.entity.js';
import type { ProvisioningProfile } from '../provisioning-profiles/provisioning-profile.entity.js';

type SigningCertificate = Pick<Certificate, 'name' | 'type' | 'expiresAt' | 'teamId' | 'sha256Fingerprint'>;

type SigningProfile = Pick<
  ProvisioningProfile,
  'name' | 'type' | 'teamId' | 'bundleId' | 'expiresAt' | 'certificateFingerprints'
>;

/** What decides which profiles of a certificate can sign a build. */
interface ProfileChoice<P extends SigningProfile> {
  /** All of the certificate. */
  readonly profiles: readonly P[];
  readonly configuration: Pick<Configuration, 'name' | 'packageName'> | null;
  readonly now: Date;
}

/** @throws InvalidRequestError when there is none */
export function requireCertificate<C>(type: ProfileType, certificate: C | null): C {
  if (certificate !== null) return certificate;
  throw new InvalidRequestError(
    `A certificate is required for iOS builds of the type ${type}: add appCertificateId or appCertificateName. ` +
      'Builds of the type simulator need none.',
    'certificate_required',
  );
}

/** @throws InvalidRequestError when the certificate is of the other type, or has expired */
export function requireFittingCertificate(
  type: ProfileType,
  certificate: SigningCertificate,
  now: Date,
): void {
  const { name, expiresAt, teamId, sha256Fingerprint } = certificate;
  if (teamId === null || sha256Fingerprint === null) {
    throw unfitCertificate(
      `What the file of the certificate ${name} says is not known, because it was uploaded to an earlier version: upload the .p12 ` +
        'again as a new certificate, and link its profiles to that.',
    );
  }
  const needed = type === 'development' ? 'development' : 'production';
  if (certificate.type !== needed) {
    const kind = needed === 'development' ? 'Apple Development' : 'Apple Distribution';
    throw unfitCertificate(
      `The certificate ${name} is for ${certificate.type}, and iOS builds of the type ${type} need one for ${needed} (${kind}).`,
    );
  }
  if (expiresAt !== null && expiresAt <= now) {
    throw unfitCertificate(
      `The certificate ${name} expired on ${dayOf(expiresAt)}, and the tools of Apple do not sign with it: ` +
        'upload a new certificate, and profiles with it.',
    );
  }
}

/**
 * The profiles that can sign a build, as far as they say it themselves: the first reason against all of them counts.
 *
 * @returns at least one
 * @throws InvalidRequestError when there is none, with what to do
 */
export function requireProfiles<P extends SigningProfile>(
  type: ProfileType,
  certificate: SigningCertificate,
  { profiles, configuration, now }: ProfileChoice<P>,
): P[] {
  const { name, teamId, sha256Fingerprint } = certificate;
  const narrow = (candidates: readonly P[], fits: (profile: P) => boolean, reason: () => string): P[] => {
    const fitting = candidates.filter(fits);
    if (fitting.length === 0) throw new InvalidRequestError(reason(), 'provisioning_profile_unfit');
    return fitting;
  };
  const ofType = narrow(
    profiles,
    (profile) => profile.type === type,
    () =>
      `The certificate ${name} has no provisioning profile of the type ${type}${others(profiles)}: link one to it.`,
  );
  const valid = narrow(
    ofType,
    ({ expiresAt }) => expiresAt > now,
    () =>
      `${subjectOf(ofType)} expired (${ends(ofType)}): make a new one at developer.apple.com, and upload it.`,
  );
  const ofTeam = narrow(
    valid,
    (profile) => profile.teamId === teamId,
    () =>
      `${subjectOf(valid)} of another team (${teams(valid)}) than the certificate ${name} (${teamId ?? 'none'}): ` +
      'upload a profile of the same team.',
  );
  const allowed = narrow(
    ofTeam,
    ({ certificateFingerprints }) =>
      sha256Fingerprint !== null && certificateFingerprints.includes(sha256Fingerprint),
    () =>
      `${subjectOf(ofTeam)} without the certificate ${name}: add it to the profile at developer.apple.com, and upload ` +
      'the profile again.',
  );
  const bundleId = configuration?.packageName ?? null;
  if (bundleId === null) return allowed;
  return narrow(
    allowed,
    (profile) => coversBundleId(profile.bundleId, bundleId),
    () =>
      `${subjectOf(allowed)} for other bundle ids (${listed(allowed.map((profile) => profile.bundleId))}) than ` +
      `${bundleId} of the configuration ${configuration?.name ?? ''}: upload a profile for it.`,
  );
}

function unfitCertificate(message: string): InvalidRequestError {
  return new InvalidRequestError(message, 'certificate_unfit');
}

/** What a sentence about profiles begins with. */
function subjectOf(profiles: readonly SigningProfile[]): string {
  const names = listed(profiles.map(({ name }) => name));
  return profiles.length === 1
    ? `The provisioning profile ${names} is`
    : `The provisioning profiles ${names} are`;
}

function others(profiles: readonly SigningProfile[]): string {
  if (profiles.length === 0) return '';
  return `, only of ${[...new Set(profiles.map((profile) => profile.type))].sort().join(', ')}`;
}

function ends(profiles: readonly SigningProfile[]): string {
  return [...new Set(profiles.map(({ expiresAt }) => dayOf(expiresAt)))].slice(0, 10).join(', ');
}

function teams(profiles: readonly SigningProfile[]): string {
  return [...new Set(profiles.map(({ teamId }) => teamId))].slice(0, 10).join(', ');
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
