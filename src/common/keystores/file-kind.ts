import { X509Certificate } from 'node:crypto';
import { KeystoreError } from './keystore.js';

const JKS = 0xfeedfeed;
const JCEKS = 0xcececece;
/** Versions 1 and 2 of BouncyCastle's formats, each with a salt of 20 bytes. */
const BKS = /^0000000[12]00000014$/;
const ZIP = 0x504b0304;
/** A sequence of any length, and within it the number of the version of PKCS#12: 3. */
const PKCS12 = /^30(?:[0-7].|80|81(?:..)|82(?:....)|83(?:.{6})|84(?:.{8}))020103/;

/** How to make a keystore of the right format. */
const CONVERT = 'convert it with keytool -importkeystore -deststoretype PKCS12';

/**
 * Which format a keystore for Android has, by its content: names do not say it.
 *
 * @throws KeystoreError says what the file is instead, and what to do
 */
export function keystoreFormatOf(file: Buffer): 'jks' | 'pkcs12' {
  const magic = file.length < 4 ? 0 : file.readUInt32BE(0);
  if (magic === JKS) return 'jks';
  if (isPkcs12(file)) return 'pkcs12';
  throw new KeystoreError('file', sentenceFor(file, magic));
}

function sentenceFor(file: Buffer, magic: number): string {
  if (file.length === 0) return 'file is empty: upload the keystore of your app (.jks, .keystore or .p12).';
  if (magic === JCEKS) return `file is a keystore of the type JCEKS, which Slipway cannot open: ${CONVERT}.`;
  if (BKS.test(startOf(file).slice(0, 16))) {
    return `file is a keystore of the type BKS, which Slipway cannot open: ${CONVERT}.`;
  }
  if (magic === ZIP) {
    return 'file is a zip or an app: upload the keystore that signs the app (.jks, .keystore or .p12).';
  }
  const text = file.toString('latin1');
  if (text.includes('-----BEGIN ')) return sentenceForPem(text);
  if (isBase64Of(file, isKeystore)) return 'file is a keystore as Base64 text: decode it first (base64 -d).';
  if (isCertificate(file)) return sentenceForCertificate;
  return 'file is no keystore: upload the one of your app (.jks, .keystore or .p12).';
}

const sentenceForCertificate =
  'file is a public certificate without a private key: upload the keystore that it was exported from.';

function sentenceForPem(text: string): string {
  return text.includes('PRIVATE KEY-----')
    ? 'file is a private key as PEM, and Android needs a keystore: make one with openssl pkcs12 -export.'
    : sentenceForCertificate;
}

/** Whether the file begins as PKCS#12 does. */
export function isPkcs12(file: Buffer): boolean {
  return PKCS12.test(startOf(file));
}

function isKeystore(file: Buffer): boolean {
  return file.length > 4 && (file.readUInt32BE(0) === JKS || isPkcs12(file));
}

/** @param isIt gets the first bytes of the file that the text encodes */
export function isBase64Of(file: Buffer, isIt: (start: Buffer) => boolean): boolean {
  const text = file.toString('latin1');
  return /^[A-Za-z0-9+/=\s]+$/.test(text) && isIt(Buffer.from(text.slice(0, 100), 'base64'));
}

/** The first bytes, in hexadecimal digits. */
export function startOf(file: Buffer): string {
  return file.toString('hex', 0, 20);
}

/** Whether the file is a certificate, and nothing else. */
export function isCertificate(file: Buffer): boolean {
  try {
    return new X509Certificate(file).raw.length > 0;
  } catch {
    return false;
  }
}
