import { type KeyObject, sign, verify, type X509Certificate } from 'node:crypto';
import { keystoreFormatOf } from '../../common/keystores/file-kind.js';
import { openJks } from '../../common/keystores/jks-keystore.js';
import { damaged, type KeyEntry, type Keystore, KeystoreError } from '../../common/keystores/keystore.js';
import { openPkcs12 } from '../../common/keystores/pkcs12-keystore.js';
import { aliasProblem, isUsableAlias, listed } from '../../common/keystores/aliases.js';
import { expiryOf, findCertificateOf, namesOf } from './keystore-certificates.js';
import type { CertificateFacts, CertificateFile, CertificateReader } from './reading.js';

const DEBUG_NAME = 'Android Debug';
const APPLE_NAME =
  /^(?:Apple|iPhone|Mac|3rd Party Mac|Developer ID) ?(?:Developer|Development|Distribution|Application|Installer)/;
/** What signatures of apps can be made with. */
const KEY_TYPES = ['rsa', 'ec', 'dsa'];

/** Opens what Android apps are signed with: a key in a keystore in the format PKCS#12 or JKS. */
export const readAndroidCertificate: CertificateReader = (certificate) => {
  try {
    return { facts: factsOf(certificate) };
  } catch (error) {
    const { field, message } = error instanceof KeystoreError ? error : damaged();
    return { failure: { field, message } };
  }
};

function factsOf({ file, password, keyAlias, keyPassword }: CertificateFile): CertificateFacts {
  const format = keystoreFormatOf(file);
  if (password === null) {
    throw new KeystoreError('password', 'password is required: it is the one of the keystore.');
  }
  const keystore = format === 'jks' ? openJks(file, password) : openPkcs12(file, password);
  const entry = entryOf(keystore, keyAlias);
  const key = open(entry, password, keyPassword);
  if (!KEY_TYPES.includes(key.asymmetricKeyType ?? '')) {
    throw new KeystoreError(
      'file',
      'file has a key of a type that signs no Android apps: make one with RSA.',
    );
  }
  const certificate = findCertificateOf(keystore, key);
  if (certificate === null)
    throw new KeystoreError('file', 'file has no certificate of the key: make a keystore that has both.');
  requireSigning(key, certificate);
  const { subject, commonName } = namesOf(certificate, true);
  if (APPLE_NAME.test(commonName)) {
    throw new KeystoreError(
      'file',
      'file has a certificate of Apple, which signs iOS apps: upload the keystore of your Android app.',
    );
  }
  return {
    type: commonName === DEBUG_NAME ? 'development' : 'production',
    expiresAt: expiryOf(certificate, 'make a new certificate with keytool'),
    keyAlias: entry.alias,
    subject,
    sha256Fingerprint: certificate.fingerprint256,
    teamId: null,
    signingKey: null,
  };
}

/** The key to sign with. Names are compared as Java does, ignoring case. */
function entryOf({ keys, trusted }: Keystore, alias: string | null): KeyEntry {
  const [first, ...others] = keys;
  const isNamed = (name: string): boolean => name.toLowerCase() === alias?.toLowerCase();
  if (first === undefined) {
    const only = 'only certificates: upload the keystore that signs your app.';
    throw trusted.some(isNamed)
      ? new KeystoreError('keyAlias', `keyAlias is a certificate without a private key, and file has ${only}`)
      : new KeystoreError('file', `file has no private key, ${only}`);
  }
  const names = listed(keys.map((key) => key.alias));
  if (alias === null && others.length > 0) {
    throw new KeystoreError('keyAlias', `keyAlias is required: the keystore has the keys ${names}.`);
  }
  const found = alias === null ? [first] : keys.filter((key) => isNamed(key.alias));
  const [only, second] = found;
  if (only === undefined) {
    const what = trusted.some(isNamed) ? 'is a certificate without a private key' : 'is not in the keystore';
    throw new KeystoreError(
      'keyAlias',
      `keyAlias ${what}, which has ${keys.length === 1 ? 'the key' : 'the keys'} ${names}.`,
    );
  }
  if (second !== undefined) {
    throw new KeystoreError(
      'file',
      'file has several keys of this alias: upload a keystore with one of them.',
    );
  }
  if (!isUsableAlias(only.alias)) {
    throw new KeystoreError(
      'file',
      'file has a key whose alias is empty, too long or has control characters: rename it with keytool -changealias.',
    );
  }
  const problem = aliasProblem(only.alias);
  if (problem !== null) {
    throw new KeystoreError('file', `file has the key ${listed([only.alias])}, whose alias ${problem}.`);
  }
  return only;
}

/** Signs one byte, so that a key that cannot sign is found here, and not by a build. */
function requireSigning(key: KeyObject, { publicKey }: X509Certificate): void {
  const byte = Buffer.alloc(1);
  try {
    if (verify('sha256', byte, publicKey, sign('sha256', byte, key))) return;
  } catch {
    // OpenSSL says nothing that helps.
  }
  throw new KeystoreError(
    'file',
    'file has a key that cannot sign: it is damaged or too short. Upload the keystore that signs your app.',
  );
}

function open(entry: KeyEntry, password: string, keyPassword: string | null): KeyObject {
  const key = keyPassword === null ? entry.open(password) : openWith(entry, keyPassword);
  if (key !== null) return key;
  const alias = listed([entry.alias]);
  if (keyPassword === null) {
    throw new KeystoreError(
      'keyPassword',
      `keyPassword is required: password opens the keystore, but not the key ${alias}.`,
    );
  }
  const hint = entry.open(password) === null ? '.' : ', but password does: leave keyPassword out.';
  throw new KeystoreError('keyPassword', `keyPassword does not open the key ${alias}${hint}`);
}

/** Opens a key with its own password. */
function openWith(entry: KeyEntry, keyPassword: string): KeyObject | null {
  try {
    return entry.open(keyPassword);
  } catch (error) {
    if (!(error instanceof KeystoreError) || error.field !== 'password') throw error;
    throw new KeystoreError('keyPassword', error.message.replace(/^password/, 'keyPassword'));
  }
}
