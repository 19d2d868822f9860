import { types } from 'node:util';
import type { WorkBudget } from '../../../common/work-budget.js';
import type { ProfileType } from '../../../common/provisioning-profiles.js';
import type { ArtifactSigner } from '../artifact-facts.js';
import { cleanText } from '../clean-text.js';
import { describeCertificate, validDate } from '../signers/describe-certificate.js';
import { readSignedMessage } from '../signers/signed-message.js';
import { type PlistDictionary, readPlist, valueOf } from '../../../common/read-plist.js';

/** What a provisioning profile says. */
export interface ReadProfile {
  readonly signer: ArtifactSigner;
  readonly debuggable: boolean;
}

/**
 * Reads a provisioning profile: a signed property list. The signature is not verified.
 *
 * @throws Error when it is none
 * @throws TooMuchWorkError
 */
export function readProfile(file: Buffer, work: WorkBudget): ReadProfile {
  const { content } = readSignedMessage(file, work);
  const profile = readPlist(content ?? Buffer.alloc(0));
  const debuggable = isDebuggable(profile);
  const [certificate] = listOf(profile, 'DeveloperCertificates');
  const none = { subject: null, sha256: null };
  const { subject, sha256 } = types.isUint8Array(certificate)
    ? describeCertificate(Buffer.from(certificate))
    : none;
  return {
    debuggable,
    signer: {
      scheme: 'profile',
      subject,
      sha256,
      expiresAt: validDate(valueOf(profile, 'ExpirationDate')),
      teamId: cleanText(listOf(profile, 'TeamIdentifier')[0]),
      profileType: typeOf(profile),
      profileBundleId: bundleIdOf(profile),
      deviceCount: devicesOf(profile)?.length ?? null,
    },
  };
}

/**
 * Whether a provisioning profile lists a device. The signature is not verified.
 *
 * @param udid of the device, in upper or lower case
 * @throws Error when the file is none
 * @throws TooMuchWorkError
 */
export function listsDevice(file: Buffer, udid: string, work: WorkBudget): boolean {
  const devices = devicesOf(readPlist(readSignedMessage(file, work).content ?? Buffer.alloc(0))) ?? [];
  const wanted = udid.toLowerCase();
  return devices.some((device) => typeof device === 'string' && device.toLowerCase() === wanted);
}

function isDebuggable(profile: PlistDictionary): boolean {
  return valueOf(valueOf(profile, 'Entitlements'), 'get-task-allow') === true;
}

/** What a profile is for, by what it allows. */
export function typeOf(profile: PlistDictionary): ProfileType {
  if (isDebuggable(profile)) return 'development';
  if (valueOf(profile, 'ProvisionsAllDevices') === true) return 'enterprise';
  return devicesOf(profile) !== null ? 'ad-hoc' : 'app-store';
}

/** The UDIDs of the devices that it is for; `null`: it lists none. */
function devicesOf(profile: PlistDictionary): readonly unknown[] | null {
  const devices = valueOf(profile, 'ProvisionedDevices');
  return Array.isArray(devices) ? (devices as unknown[]) : null;
}

/** `application-identifier` is the bundle id behind the prefix of the team. */
export function bundleIdOf(profile: PlistDictionary): string | null {
  const identifier = cleanText(valueOf(valueOf(profile, 'Entitlements'), 'application-identifier'));
  return identifier === null ? null : identifier.slice(identifier.indexOf('.') + 1);
}

function listOf(dictionary: PlistDictionary, key: string): readonly unknown[] {
  const value = valueOf(dictionary, key);
  return Array.isArray(value) ? (value as unknown[]) : [];
}
