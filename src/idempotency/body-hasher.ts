import { createHmac } from 'node:crypto';
import { deriveKey } from '../common/secrets/derive-key.js';

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

  /** HMAC-SHA-256 in lower-case hexadecimal: with the current key, then with older ones, which stored hashes may have. */
  hash(body: string | Buffer): string[] {
    return this.keys.map((key) => createHmac('sha256', key).update(body).digest('hex'));
  }
}
