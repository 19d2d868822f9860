import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import { appleTools, type Keystore, KeystoreError } from '../../../../common/keystores/keystore.js';
import { openPkcs12 } from '../../../../common/keystores/pkcs12-keystore.js';
import type { PayloadCertificateDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';

/** Apple's certificates have two issuers above them. */
const MAX_ISSUERS = 4;
const TEAM = /^OU=([A-Z0-9]{10})$/m;
const COMMON_NAME = /^CN=(.*)$/m;

/** The key that signs, and what belongs to it. */
export interface SigningIdentity {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
  /** Those of the file that the certificate depends on, without a root. */
  readonly issuers: readonly X509Certificate[];
  /** Of the certificate, in capital hexadecimal digits: how macOS names an identity. */
  readonly sha1: string;
  /** SHA-256 of the certificate, in pairs of hexadecimal digits: how profiles name it. */
  readonly fingerprint: string;
  readonly commonName: string;
  /** `null`: the certificate names none. */
  readonly teamId: string | null;
}

/**
 * Opens the file of a certificate.
 *
 * @throws StepError when it has not exactly one key with its certificate
 */
export function readIdentity({ file, password }: PayloadCertificateDto): SigningIdentity {
  const keystore = openFile(Buffer.from(file, 'base64'), password ?? '');
  const key = onlyKey(keystore, password ?? '');
  const certificates = keystore.certificates.flatMap(readCertificate);
  const [certificate] = certificates
    .filter((candidate) => candidate.checkPrivateKey(key))
    .toSorted((a, b) => Date.parse(b.validTo) - Date.parse(a.validTo));
  if (certificate === undefined) {
    throw new StepError('sign', 'The file of the certificate has a private key, but not its certificate.');
  }
  return {
    key,
    certificate,
    issuers: issuersOf(certificate, certificates),
    sha1: createHash('sha1').update(certificate.raw).digest('hex').toUpperCase(),
    fingerprint: certificate.fingerprint256,
    commonName: COMMON_NAME.exec(certificate.subject)?.[1] ?? '',
    teamId: TEAM.exec(certificate.subject)?.[1] ?? null,
  };
}

function openFile(file: Buffer, password: string): Keystore {
  try {
    return openPkcs12(file, password, appleTools);
  } catch (error) {
    if (error instanceof KeystoreError && error.field === 'password') throw wrongPassword();
    throw unreadable();
  }
}

function onlyKey({ keys }: Keystore, password: string): KeyObject {
  const [entry] = keys;
  if (entry === undefined || keys.length > 1) {
    const count = keys.length === 0 ? 'no private key' : `${keys.length} private keys`;
    throw new StepError('sign', `The file of the certificate has ${count}, and it needs exactly one.`);
  }
  let key: KeyObject | null;
  try {
    // A file can be made without a password at all.
    key = entry.open(password) ?? (password === '' ? entry.open(null) : null);
  } catch {
    throw unreadable();
  }
  if (key === null) throw wrongPassword();
  return key;
}

/** What is no certificate is left out. */
function readCertificate(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    return [];
  }
}

function issuersOf(
  certificate: X509Certificate,
  certificates: readonly X509Certificate[],
): readonly X509Certificate[] {
  const issuers: X509Certificate[] = [];
  for (let last = certificate; issuers.length < MAX_ISSUERS;) {
    const issuer = certificates.find((candidate) => candidate.ca && last.checkIssued(candidate));
    // A root would ask for trust, and the system has those of Apple.
    if (issuer === undefined || issuer.checkIssued(issuer) || issuers.includes(issuer)) break;
    issuers.push(issuer);
    last = issuer;
  }
  return issuers;
}

function wrongPassword(): StepError {
  return new StepError('sign', 'The password of the certificate does not open its file.');
}

function unreadable(): StepError {
  return new StepError('sign', 'The file of the certificate is damaged, or no PKCS#12 file (.p12).');
}
