import { createHmac, timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';
import { type Asn1, at, childrenOf, encryptedInfo, integerOf, octetsOf, oidOf } from './der.js';
import { damaged, KeystoreError, type SigningTools } from './keystore.js';

const PBES2 = '1.2.840.113549.1.5.13';
/** The algorithms that authenticate, each with the bytes of its digest. */
const digests: Readonly<
  Record<string, { name: string; bytes: number; create: () => forge.md.MessageDigest }>
> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20, create: () => forge.md.sha1.create() },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32, create: () => forge.md.sha256.create() },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48, create: () => forge.md.sha384.create() },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64, create: () => forge.md.sha512.create() },
};
/** `keytool` takes 10,000, OpenSSL 2,048. */
const MAX_ITERATIONS = 100_000;
/** The purpose of a key that authenticates, in the key derivation of PKCS#12. */
const MAC_KEY = 3;

/**
 * Whether the password is the one that a PKCS#12 file is authenticated with.
 *
 * @param macData of the file
 * @param content what is authenticated, as binary text
 * @param password `null`: none at all, which differs from an empty one
 * @throws KeystoreError when it takes too many iterations or an unknown algorithm
 */
export function isAuthentic(
  macData: Asn1,
  content: string,
  password: string | null,
  tools: SigningTools,
): boolean {
  const digest = digests[oidOf(at(macData, 0, 0, 0))];
  if (digest === undefined) throw unsupported(tools);
  const expected = Buffer.from(octetsOf(at(macData, 0, 1)), 'latin1');
  const iterations = childrenOf(macData).length > 2 ? integerOf(at(macData, 2)) : 1;
  requireFewIterations(iterations, tools);
  const salt = forge.util.createBuffer(octetsOf(at(macData, 1)));
  const key = forge.pkcs12.generateKey(
    password as string,
    salt,
    MAC_KEY,
    iterations,
    digest.bytes,
    digest.create(),
  );
  const mac = createHmac(digest.name, Buffer.from(key.getBytes(), 'latin1'))
    .update(content, 'latin1')
    .digest();
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}

/**
 * @param algorithm the encryption, with its parameters
 * @param bytes what is encrypted, as binary text
 * @returns `null`: the password is wrong
 * @throws KeystoreError when it takes too many iterations or an unknown algorithm
 */
export function decrypt(
  algorithm: Asn1,
  bytes: string,
  password: string | null,
  tools: SigningTools,
): Asn1 | null {
  const isPbes2 = oidOf(at(algorithm, 0)) === PBES2;
  requireFewIterations(integerOf(isPbes2 ? at(algorithm, 1, 0, 1, 1) : at(algorithm, 1, 1)), tools);
  if (isPbes2 && tools.needAscii && /[^\x20-\x7e]/.test(password ?? '')) {
    throw new KeystoreError(
      'password',
      'password must consist of ASCII characters: Java, which signs Android apps, opens such a file with no others.',
    );
  }
  try {
    // PBES2 takes bytes, and PKCS#12 characters. The types lack `null`.
    const secret = isPbes2 ? forge.util.encodeUtf8(password ?? '') : (password as string);
    return forge.pki.decryptPrivateKeyInfo(encryptedInfo(algorithm, bytes), secret);
  } catch (error) {
    if (error instanceof Error && 'oid' in error) throw unsupported(tools);
    // Bytes that happen to end like padding are no ASN.1.
    return null;
  }
}

function requireFewIterations(iterations: number, { remedy }: SigningTools): void {
  if (iterations < 1) throw damaged();
  if (iterations <= MAX_ITERATIONS) return;
  throw new KeystoreError(
    'file',
    `file takes more than ${MAX_ITERATIONS} iterations to open, the most that Slipway does: ${remedy}.`,
  );
}

function unsupported({ remedy }: SigningTools): KeystoreError {
  return new KeystoreError(
    'file',
    `file is encrypted with an algorithm that Slipway does not know: ${remedy}.`,
  );
}
