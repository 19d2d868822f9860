import { types } from 'node:util';
import { isSignedMessage } from '../../common/keystores/apple-file-kind.js';
import { isBase64Of, isCertificate, isPkcs12, startOf } from '../../common/keystores/file-kind.js';
import { type PlistDictionary, readPlist, valueOf } from '../../common/read-plist.js';
import { TooMuchWorkError } from '../../common/work-budget.js';
import { bundleIdOf, typeOf } from '../artifact-readers/ios/read-profile.js';
import { cleanText } from '../artifact-readers/clean-text.js';
import { fingerprintOf, validDate } from '../artifact-readers/signers/describe-certificate.js';
import { readSignedMessage } from '../artifact-readers/signers/signed-message.js';
import type { ProfileFacts, ProfileReading } from './reading.js';

const DOWNLOAD = 'download the profile again from developer.apple.com';
const UPLOAD = 'upload a provisioning profile (.mobileprovision) of developer.apple.com';
const MAKE = 'make one for iOS at developer.apple.com';
const MAX_NAME = 200;
const MAX_CERTIFICATES = 200;
/** The identifier becomes the name of a file. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TEAM_ID = /^[A-Z0-9]{10}$/;
const BUNDLE_ID = /^(?:[A-Za-z0-9.-]{1,255}|(?:[A-Za-z0-9-]{1,100}\.){0,20}\*)$/;
const ZIP = '504b0304';
/** As profiles name the platforms. */
const IOS_PLATFORMS = ['iOS', 'xrOS', 'visionOS'];
const OTHER_PLATFORMS: ReadonlyMap<unknown, string> = new Map([
  ['OSX', 'macOS'],
  ['tvOS', 'tvOS'],
  ['watchOS', 'watchOS'],
]);

/** Why a file is no profile that builds can use. */
class ProfileProblem extends Error {}

/** Reads a provisioning profile. Its signature is not verified: Apple's tools do that. */
export function readProfileFile(file: Buffer): ProfileReading {
  try {
    if (!isSignedMessage(file)) throw new ProfileProblem(whatElse(file));
    return { facts: factsOf(contentOf(file)) };
  } catch (error) {
    return { failure: { field: 'file', message: sentenceFor(error) } };
  }
}

function sentenceFor(error: unknown): string {
  if (error instanceof ProfileProblem) return error.message;
  if (error instanceof TooMuchWorkError) return `file is no profile of Apple: ${error.message}.`;
  return `file is damaged or incomplete: ${DOWNLOAD}.`;
}

/** @throws Error when it is damaged */
function contentOf(file: Buffer): PlistDictionary {
  const { content } = readSignedMessage(file);
  if (content === null) throw new TypeError('It has no content.');
  return readPlist(content);
}

function factsOf(profile: PlistDictionary): ProfileFacts {
  requireIos(profile);
  if (valueOf(profile, 'IsXcodeManaged') === true) {
    throw new ProfileProblem(
      'file is a profile that Xcode manages, and Xcode signs builds on runners only with others: ' +
        'make one at developer.apple.com.',
    );
  }
  const teamId = cleanText(listOf(profile, 'TeamIdentifier')[0]) ?? '';
  if (!TEAM_ID.test(teamId)) throw new ProfileProblem(`file names no team of Apple: ${DOWNLOAD}.`);
  const uuid = cleanText(valueOf(profile, 'UUID')) ?? '';
  if (!UUID.test(uuid)) throw new ProfileProblem(`file has no valid UUID: ${DOWNLOAD}.`);
  const name = cleanText(valueOf(profile, 'Name'))?.slice(0, MAX_NAME).toWellFormed().trim();
  if (name === undefined) throw new ProfileProblem(`file has no name of the profile: ${DOWNLOAD}.`);
  const bundleId = bundleIdOf(profile) ?? '';
  if (!BUNDLE_ID.test(bundleId)) throw new ProfileProblem(`file names no valid bundle id: ${DOWNLOAD}.`);
  const expiresAt = validDate(valueOf(profile, 'ExpirationDate'));
  if (expiresAt === null) throw new ProfileProblem(`file has no valid expiry: ${DOWNLOAD}.`);
  const devices = valueOf(profile, 'ProvisionedDevices');
  return {
    uuid,
    name,
    type: typeOf(profile),
    teamId,
    bundleId,
    deviceCount: Array.isArray(devices) ? devices.length : null,
    expiresAt,
    certificateFingerprints: fingerprintsOf(profile),
  };
}

function requireIos(profile: PlistDictionary): void {
  const platforms = listOf(profile, 'Platform');
  // Profiles from before there were others name none.
  if (platforms.length === 0 || platforms.some((platform) => IOS_PLATFORMS.includes(String(platform))))
    return;
  const names = platforms.flatMap((platform) => OTHER_PLATFORMS.get(platform) ?? []);
  const which = names.length === 0 ? 'a platform other than iOS' : names.join(' and ');
  throw new ProfileProblem(`file is a profile for ${which}: ${MAKE}.`);
}

function fingerprintsOf(profile: PlistDictionary): string[] {
  const certificates = listOf(profile, 'DeveloperCertificates').filter((certificate) =>
    types.isUint8Array(certificate),
  );
  if (certificates.length === 0)
    throw new ProfileProblem(`file is a profile without certificates, which signs nothing: ${MAKE}.`);
  if (certificates.length > MAX_CERTIFICATES)
    throw new ProfileProblem(`file has more than ${MAX_CERTIFICATES} certificates: ${MAKE}.`);
  return [...new Set(certificates.map((certificate) => fingerprintOf(Buffer.from(certificate))))];
}

function listOf(dictionary: PlistDictionary, key: string): readonly unknown[] {
  const value = valueOf(dictionary, key);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** What people upload by mistake. */
function whatElse(file: Buffer): string {
  if (file.length === 0) return `file is empty: ${UPLOAD}.`;
  if (startOf(file).startsWith(ZIP)) return `file is a zip or an app: ${UPLOAD}.`;
  if (isPkcs12(file)) return `file is a .p12: upload it as a certificate, and the provisioning profile here.`;
  const text = file.toString('latin1');
  if (text.includes('-----BEGIN ')) return `file is a key or a certificate as PEM: ${UPLOAD}.`;
  if (isCertificate(file)) return `file is a certificate: ${UPLOAD}.`;
  if (isBase64Of(file, isSignedMessage))
    return 'file is a profile as Base64 text: decode it first (base64 -d).';
  if (text.startsWith('bplist00') || text.includes('<plist'))
    return `file is a property list without the signature of Apple: ${DOWNLOAD}.`;
  return `file is no provisioning profile: ${UPLOAD}.`;
}
