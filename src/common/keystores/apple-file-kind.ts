import { isBase64Of, isCertificate, isPkcs12, startOf } from './file-kind.js';
import { KeystoreError } from './keystore.js';

const KEYSTORES_OF_JAVA = ['feedfeed', 'cececece', '0000000100000014', '0000000200000014'];
const ZIP = '504b0304';
/** A sequence that begins with the identifier of signed data (PKCS#7), of any length. */
const SIGNED_MESSAGE = /^30(?:[0-7].|80|81(?:..)|82(?:....)|83(?:.{6})|84(?:.{8}))06092a864886f70d010702/;

const EXPORT = 'export the certificate together with its key as a .p12 from Keychain Access';
const PROFILE = 'file is a provisioning profile: upload it as one, and the .p12 of its certificate here.';

/**
 * Requires a keystore for iOS, by its content: names do not say it.
 *
 * @throws KeystoreError says what the file is instead, and what to do
 */
export function requireAppleKeystore(file: Buffer): void {
  if (!isPkcs12(file)) throw new KeystoreError('file', sentenceFor(file));
}

/** Whether the file is a signed message, as provisioning profiles are. */
export function isSignedMessage(file: Buffer): boolean {
  return SIGNED_MESSAGE.test(startOf(file));
}

function sentenceFor(file: Buffer): string {
  const start = startOf(file);
  if (file.length === 0) return `file is empty: ${EXPORT}.`;
  if (isSignedMessage(file)) return PROFILE;
  if (KEYSTORES_OF_JAVA.some((magic) => start.startsWith(magic)))
    return `file is a keystore of Java, which signs Android apps: ${EXPORT}.`;
  if (start.startsWith(ZIP)) return `file is a zip or an app: ${EXPORT}.`;
  const text = file.toString('latin1');
  if (text.includes('-----BEGIN ')) return sentenceForPem(text);
  if (isBase64Of(file, isPkcs12)) return 'file is a .p12 as Base64 text: decode it first (base64 -d).';
  if (isCertificate(file)) return `file is a certificate without its private key (.cer): ${EXPORT}.`;
  return `file is no .p12: ${EXPORT}.`;
}

function sentenceForPem(text: string): string {
  if (text.includes('CERTIFICATE REQUEST-----'))
    return `file is a request for a certificate: upload it at developer.apple.com, then ${EXPORT}.`;
  if (!text.includes('PRIVATE KEY-----'))
    return `file is a certificate without its private key, as PEM: ${EXPORT}.`;
  return text.includes('-----BEGIN CERTIFICATE-----')
    ? 'file is a certificate with its key as PEM: make a .p12 with openssl pkcs12 -export.'
    : `file is a private key alone, as PEM (a .p8 is a key of App Store Connect or of notifications): ${EXPORT}.`;
}
