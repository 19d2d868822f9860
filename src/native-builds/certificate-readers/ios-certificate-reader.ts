import type { KeyObject } from 'node:crypto';
import { listed } from '../../common/keystores/aliases.js';
import { requireAppleKeystore } from '../../common/keystores/apple-file-kind.js';
import { appleTools, type KeyEntry, type Keystore, KeystoreError } from '../../common/keystores/keystore.js';
import { openPkcs12 } from '../../common/keystores/pkcs12-keystore.js';
import type { CertificateType } from '../certificates/certificate.entity.js';
import { expiryOf, findCertificateOf, namesOf } from './keystore-certificates.js';
import type { CertificateFacts, CertificateFile, CertificateReader } from './reading.js';

const MAKE = 'make an Apple Development or Apple Distribution certificate at developer.apple.com';
const EXPORT = 'select the certificate together with its key in Keychain Access, and export both as a .p12';

/** How Apple names the certificates that sign iOS apps; those from before Xcode 11 begin with `iPhone`. */
const APP_NAMES: readonly (readonly [prefix: string, type: CertificateType])[] = [
  ['Apple Development: ', 'development'],
  ['iPhone Developer: ', 'development'],
  ['Apple Distribution: ', 'production'],
  ['iPhone Distribution: ', 'production'],
];
/** How Apple names others, with what they are for. */
const OTHER_NAMES: readonly (readonly [name: RegExp, purpose: string])[] = [
  [
    /^Apple (?:Development IOS |Production IOS |Sandbox )?Push Services|^VoIP Services:/,
    'sends notifications',
  ],
  [/^Pass Type ID/, 'signs passes of Apple Wallet'],
  [/^(?:Merchant ID|Apple Pay )/, 'is for Apple Pay'],
  [/^Developer ID |^Mac |^3rd Party Mac /, 'signs apps or installers for Macs'],
  [
    /^Apple .*Certification Authority|^Apple Root CA/,
    'is an authority of Apple, which signs other certificates',
  ],
];
const KEY_TYPES = ['rsa', 'ec'];
const TEAM_ID = /^[A-Z0-9]{10}$/;

/** Opens what iOS apps are signed with: a key and its certificate of Apple in a .p12. */
export const readIosCertificate: CertificateReader = (certificate) => {
  try {
    return { facts: factsOf(certificate) };
  } catch (error) {
    const { field, message } =
      error instanceof KeystoreError ? sentenceFor(error, certificate) : unreadable();
    return { failure: { field, message } };
  }
};

function factsOf({ file, password, keyAlias, keyPassword }: CertificateFile): CertificateFacts {
  if (keyAlias !== null)
    throw new KeystoreError('keyAlias', 'keyAlias is for Android: a .p12 for iOS has one key.');
  if (keyPassword !== null)
    throw new KeystoreError('keyPassword', 'keyPassword is for Android: use password.');
  requireAppleKeystore(file);
  const keystore = openPkcs12(file, password ?? '', appleTools);
  const key = openKey(onlyKeyOf(keystore), password ?? '');
  const certificate = findCertificateOf(keystore, key);
  if (certificate === null)
    throw new KeystoreError('file', `file has a private key without its certificate: ${EXPORT}.`);
  const { subject, commonName, organizationalUnit: teamId } = namesOf(certificate, false);
  const type = typeOf(commonName);
  if (!TEAM_ID.test(teamId))
    throw new KeystoreError('file', `file has a certificate that names no team of Apple: ${MAKE}.`);
  return {
    type,
    expiresAt: expiryOf(certificate, MAKE),
    keyAlias: null,
    subject,
    sha256Fingerprint: certificate.fingerprint256,
    teamId,
    signingKey: null,
  };
}

function onlyKeyOf({ keys }: Keystore): KeyEntry {
  const [first, second] = keys;
  if (first === undefined) {
    throw new KeystoreError('file', `file has no private key, only certificates: ${EXPORT}.`);
  }
  if (second === undefined) return first;
  throw new KeystoreError(
    'file',
    `file has ${keys.length} private keys, and must have one: export the certificate of your app alone.`,
  );
}

function openKey(entry: KeyEntry, password: string): KeyObject {
  const key = entry.open(password) ?? (password === '' ? entry.open(null) : null);
  if (key === null)
    throw new KeystoreError('password', 'password opens the file, but not the private key in it.');
  if (KEY_TYPES.includes(key.asymmetricKeyType ?? '')) return key;
  throw new KeystoreError('file', `file has a key of a type that signs no iOS apps: ${MAKE}.`);
}

function typeOf(commonName: string): CertificateType {
  const found = APP_NAMES.find(([prefix]) => commonName.startsWith(prefix));
  if (found !== undefined) return found[1];
  const name = listed([commonName]);
  const purpose = OTHER_NAMES.find(([pattern]) => pattern.test(commonName))?.[1];
  throw new KeystoreError(
    'file',
    purpose === undefined
      ? `file has the certificate ${name}, which Apple did not make for iOS apps: ${MAKE}.`
      : `file has the certificate ${name}, which ${purpose}, and no iOS apps: ${MAKE}.`,
  );
}

function unreadable(): KeystoreError {
  return new KeystoreError('file', `file is damaged or incomplete: ${appleTools.remedy}.`);
}

/** People know the file as a .p12, and not as a keystore. */
function sentenceFor(error: KeystoreError, { password }: CertificateFile): KeystoreError {
  if (error.reason === 'damaged') return unreadable();
  if (error.reason !== 'password') return error;
  const isGiven = (password ?? '') !== '';
  return new KeystoreError(
    'password',
    isGiven ? 'password does not open the file.' : 'password is required: the file has one.',
  );
}
