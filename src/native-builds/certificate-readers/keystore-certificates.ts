import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Keystore, KeystoreError } from '../../common/keystores/keystore.js';

/** Longest subject that is shown, in characters. */
const MAX_SUBJECT = 500;

/** The certificate that belongs to a key: of several, as after a renewal, the one that ends last. `null`: there is none. */
export function findCertificateOf({ certificates }: Keystore, key: KeyObject): X509Certificate | null {
  const [last = null] = certificates
    .map(parseCertificate)
    .filter((certificate) => certificate?.checkPrivateKey(key) === true)
    .toSorted((a, b) => endOf(b) - endOf(a));
  return last;
}

/** In milliseconds. */
function endOf(certificate: X509Certificate | null): number {
  return Date.parse(certificate?.validTo ?? '') || 0;
}

/**
 * Files can have any text as the time, and OpenSSL reads it only when it shows it.
 *
 * @param remedy what to do about it
 */
export function expiryOf({ validTo }: X509Certificate, remedy: string): Date {
  const expiresAt = new Date(validTo);
  if (!Number.isNaN(expiresAt.getTime())) return expiresAt;
  throw new KeystoreError('file', `file has a certificate whose expiry is no valid time: ${remedy}.`);
}

/** Whom a certificate is made out to. */
export interface SubjectNames {
  /** In one line. */
  readonly subject: string;
  /** `''`: none. */
  readonly commonName: string;
  /** `''`: none. */
  readonly organizationalUnit: string;
}

/** @param isReversed shows the names in the order in which Java does: Apple has the common name first, and others last */
export function namesOf(certificate: X509Certificate, isReversed: boolean): SubjectNames {
  // Line breaks within names are escaped.
  const lines = certificate.subject.split('\n');
  const names = isReversed ? lines.toReversed() : lines;
  const find = (prefix: string): string =>
    names.find((part) => part.startsWith(prefix))?.slice(prefix.length) ?? '';
  return {
    subject: names.join(', ').slice(0, MAX_SUBJECT),
    commonName: find('CN='),
    organizationalUnit: find('OU='),
  };
}

function parseCertificate(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}
