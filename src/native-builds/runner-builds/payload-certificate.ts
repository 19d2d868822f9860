import type { CertificateContent } from '../build-settings/build-settings.js';
import type { OpenedProfile } from '../provisioning-profiles/profile-secrets.service.js';
import type { PayloadCertificateDto, PayloadProfileDto } from './build-payload.dto.js';

/** A certificate for the runner that builds with it. */
export function toPayloadCertificate(content: CertificateContent | null): PayloadCertificateDto | null {
  if (content === null) return null;
  return {
    type: content.type,
    fileName: content.fileName,
    file: content.file.toString('base64'),
    password: content.password,
    keyAlias: content.keyAlias,
    keyPassword: content.keyPassword,
    profiles: content.profiles.map(toPayloadProfile),
  };
}

function toPayloadProfile({ profile, file }: OpenedProfile): PayloadProfileDto {
  const { uuid, name, type, teamId, bundleId, expiresAt, certificateFingerprints } = profile;
  return {
    uuid,
    name,
    type,
    teamId,
    bundleId,
    expiresAt: expiresAt.toISOString(),
    certificateFingerprints,
    file: file.toString('base64'),
  };
}
