import { constants, createPrivateKey, privateEncrypt } from 'node:crypto';

/** What a signature says about a SHA-256, in ASN.1: "this is a SHA-256", followed by its 32 bytes (RFC 8017, 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/**
 * Signs a file as the plugins verify it: RSA (PKCS#1 v1.5) over its SHA-256. The server has computed that hash itself, so
 * no byte of the file is read again.
 *
 * @param signingKey RSA, as PKCS#8 in DER: without a password, which could take long to open
 * @param sha256 of the file, in hexadecimal digits
 * @returns Base64
 */
export function signBundle(signingKey: Buffer, sha256: string): string {
  const key = createPrivateKey({ key: signingKey, format: 'der', type: 'pkcs8' });
  const content = Buffer.concat([DIGEST_INFO, Buffer.from(sha256, 'hex')]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, content).toString('base64');
}
