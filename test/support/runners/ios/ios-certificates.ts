import { randomUUID } from 'node:crypto';
import type { ProfileType } from '../../../../src/common/provisioning-profiles.js';
import type {
  PayloadCertificateDto,
  PayloadProfileDto,
} from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import {
  type AppleIdentity,
  makeAppleIdentity,
  makeP12,
  TEST_TEAM_ID,
} from '../../native-builds/apple/identity.ts';
import { makeProfile, type ProfileDescription } from '../../native-builds/apple/profile.ts';
import { BUNDLE_ID } from './ios-project.ts';

export const P12_PASSWORD = 'pa ss"wörd';

/** An identity with its profiles, as files and as the API sends them. */
export interface IosCertificate {
  readonly identity: AppleIdentity;
  readonly p12: Buffer;
  readonly profiles: readonly Buffer[];
  readonly certificate: PayloadCertificateDto;
}

/** @param bundleIds one profile for each; default: one for the app and all that it embeds */
export function makeIosCertificate(
  type: ProfileType,
  bundleIds: readonly string[] = [BUNDLE_ID, `${BUNDLE_ID}.widget`],
  values: Partial<ProfileDescription> = {},
): IosCertificate {
  const identity = makeAppleIdentity({ type: type === 'development' ? 'development' : 'distribution' });
  const p12 = makeP12(identity, P12_PASSWORD);
  const made = bundleIds.map((bundleId) => makePayloadProfile(identity, { type, bundleId, ...values }));
  return {
    identity,
    p12,
    profiles: made.map(({ file }) => Buffer.from(file, 'base64')),
    certificate: {
      type: type === 'development' ? 'development' : 'production',
      fileName: 'identity.p12',
      file: p12.toString('base64'),
      password: P12_PASSWORD,
      keyAlias: null,
      keyPassword: null,
      profiles: made,
    },
  };
}

function makePayloadProfile(
  identity: AppleIdentity,
  { type = 'ad-hoc', bundleId = BUNDLE_ID, ...more }: ProfileDescription,
): PayloadProfileDto {
  const uuid = randomUUID();
  const name = `Shop ${type} ${bundleId}`;
  const expiresAt = new Date('2027-06-01T12:00:00Z');
  const file = makeProfile({
    type,
    uuid,
    name,
    bundleId,
    expiresAt,
    certificates: [identity.certificate.raw],
    ...more,
  });
  return {
    uuid,
    name,
    type,
    teamId: TEST_TEAM_ID,
    bundleId,
    expiresAt: expiresAt.toISOString(),
    certificateFingerprints: [identity.sha256Fingerprint],
    file: file.toString('base64'),
  };
}
