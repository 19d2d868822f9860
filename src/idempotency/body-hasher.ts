import { createHmac } from 'node:crypto';
import { deriveKey, keyIdOf } from '../common/secrets/derive-key.js';

/**
 * Hashes the bodies of requests, to compare them. Bodies hold secrets, and short ones could be guessed from a plain hash
 * in a dump of the database, so the hash needs a key.
 */
export class BodyHasher {
  private readonly keys: readonly Buffer[];

  /** @param encryptionKeys the current key, then older ones; each 32 bytes in Base64 */
  constructor(encryptionKeys: readonly string[]) {
    this.keys = encryptionKeys.map((key) => deriveKey(key, 'request bodies'));
  }

  /**
   * @returns `<key id>.<HMAC-SHA-256 in lower-case hexadecimal>`: with the current key, then with older ones, which stored
   *   hashes may have
   */
  hash(body: string | Buffer): string[] {
    return this.keys.map((key) => `${keyIdOf(key)}.${createHmac('sha256', key).update(body).digest('hex')}`);
  }
}

/**
 * Whether a body differs from the one that a hash was stored of. A hash with a key that was dropped cannot be compared.
 *
 * @param hashes of the body
 */
export function differs(stored: string, hashes: readonly string[]): boolean {
  const [keyId = ''] = stored.split('.');
  return !hashes.includes(stored) && hashes.some((hash) => hash.startsWith(`${keyId}.`));
}
