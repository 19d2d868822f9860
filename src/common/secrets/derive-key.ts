import { createHash, hkdfSync } from 'node:crypto';

/**
 * A separate key for each purpose, from the one that the operator keeps (HKDF with SHA-256, RFC 5869).
 *
 * @param encryptionKey `ENCRYPTION_KEY`: 32 bytes in Base64
 * @param purpose any text; keys of different purposes have nothing to do with each other
 * @returns 32 bytes
 */
export function deriveKey(encryptionKey: string, purpose: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), Buffer.alloc(0), `slipway ${purpose}`, 32),
  );
}

/** Says which key it is and nothing about it: 8 hexadecimal digits. @param key a derived one */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
}
