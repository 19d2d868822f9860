import { constants, createPublicKey, type KeyObject, publicDecrypt } from 'node:crypto';

/** What a signature says about a SHA-256, in ASN.1: "this is a SHA-256", followed by its 32 bytes (RFC 8017, 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** A file as far as its signature is concerned. */
export interface SignedFile {
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Base64; `null`: unsigned. */
  readonly signature: string | null;
}

/**
 * Verifies signatures as the plugins do: RSA (PKCS#1 v1.5) over the SHA-256 of the file. Since the server has computed
 * that hash itself, no byte of the file is read again.
 */
export class SignatureVerifier {
  private keys: readonly KeyObject[];

  /** @param publicKeys PEM; a signature is valid when any of them verifies it */
  constructor(publicKeys: readonly string[]) {
    this.keys = publicKeys.map((pem) => createPublicKey(pem));
  }

  /** The files whose signature no key verifies. Unsigned files are not among them. */
  async findInvalid<T extends SignedFile>(files: readonly T[]): Promise<T[]> {
    const invalid: T[] = [];
    for (const [index, file] of files.entries()) {
      // Other requests run in between: 20,000 signatures take about a second.
      if (index % 200 === 199) await new Promise(setImmediate);
      if (file.signature !== null && !this.isValid(file.sha256, file.signature)) invalid.push(file);
    }
    return invalid;
  }

  private isValid(sha256: string, signature: string): boolean {
    const expected = Buffer.concat([DIGEST_INFO, Buffer.from(sha256, 'hex')]);
    const bytes = Buffer.from(signature, 'base64');
    const key = this.keys.find((candidate) => isSignedBy(candidate, expected, bytes));
    if (key === undefined) return false;
    // The next file is most likely signed with the same key.
    if (key !== this.keys[0]) this.keys = [key, ...this.keys.filter((other) => other !== key)];
    return true;
  }
}

function isSignedBy(key: KeyObject, expected: Buffer, signature: Buffer): boolean {
  // OpenSSL takes a shorter one for the same number, if what is missing is zero. Devices refuse it (RFC 8017, 8.2.2).
  const length = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (signature.length !== length) return false;
  try {
    // Checks the padding and returns what follows it.
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(expected);
  } catch {
    return false;
  }
}
