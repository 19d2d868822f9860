import { randomUUID } from 'node:crypto';
import { build, type PlistValue } from 'plist';
import { signedMessage, testSigner } from '../android/test-signer.ts';

/** A provisioning profile to write. Everything has a default. */
export interface ProfileDescription {
  readonly type?: 'development' | 'ad-hoc' | 'app-store' | 'enterprise';
  readonly name?: string;
  readonly uuid?: string;
  readonly teamId?: string;
  /** With or without `*` at its end. */
  readonly bundleId?: string;
  /** What may sign, in DER; by default one of a test signer. */
  readonly certificates?: readonly Buffer[];
  /** Ids of devices, for `development` and `ad-hoc`; by default one. */
  readonly devices?: readonly string[];
  readonly expiresAt?: Date;
  readonly platforms?: readonly string[];
  /** Members to set instead; `undefined` leaves one out. */
  readonly members?: Readonly<Record<string, PlistValue | undefined>>;
}

/** Writes a provisioning profile as Apple does: a property list in a signed message. */
export function makeProfile(profile: ProfileDescription = {}): Buffer {
  return signedMessage(Buffer.from(profileText(profile)), testSigner('Apple Provisioning'));
}

/** The property list of a profile, without the signed message. */
export function profileText({
  type = 'ad-hoc',
  name = 'Example profile',
  uuid = randomUUID(),
  teamId = 'A1B2C3D4E5',
  bundleId = 'com.example.app',
  certificates = [testSigner('Apple Distribution: Example').der],
  devices = ['00008030-001A2D8E0C41802E'],
  expiresAt = new Date('2027-06-01T12:00:00Z'),
  platforms = ['iOS', 'xrOS', 'visionOS'],
  members = {},
}: ProfileDescription = {}): string {
  const profile: Record<string, PlistValue | undefined> = {
    AppIDName: 'Example',
    ApplicationIdentifierPrefix: [teamId],
    CreationDate: new Date('2026-06-01T12:00:00Z'),
    DeveloperCertificates: [...certificates],
    Entitlements: {
      'application-identifier': `${teamId}.${bundleId}`,
      'com.apple.developer.team-identifier': teamId,
      'get-task-allow': type === 'development',
      'keychain-access-groups': [`${teamId}.*`],
    },
    ExpirationDate: expiresAt,
    IsXcodeManaged: false,
    Name: name,
    Platform: [...platforms],
    TeamIdentifier: [teamId],
    TeamName: 'Example',
    TimeToLive: 365,
    UUID: uuid,
    Version: 1,
    ...(type === 'development' || type === 'ad-hoc' ? { ProvisionedDevices: [...devices] } : {}),
    ...(type === 'enterprise' ? { ProvisionsAllDevices: true } : {}),
    ...members,
  };
  const present = Object.entries(profile).filter(
    (entry): entry is [string, PlistValue] => entry[1] !== undefined,
  );
  return build(Object.fromEntries(present));
}
