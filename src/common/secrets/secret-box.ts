import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, keyIdOf } from './derive-key.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const pattern = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/**
 * Encrypts secrets for the database: AES-256-GCM under a key that is derived from `ENCRYPTION_KEY`. A sealed text is
 * `v1.<key id>.<nonce, ciphertext and tag>`; the key id says which key opens it after the key was changed.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly currentId: string;

  /**
   * @param encryptionKeys the key that seals, then older ones that still open; each 32 bytes in Base64
   * @throws Error without any key
   */
  constructor(encryptionKeys: readonly string[]) {
    const keys = encryptionKeys.map((text) => deriveKey(text, 'secrets'));
    if (keys[0] === undefined) throw new Error('An encryption key is required.');
    this.currentId = keyIdOf(keys[0]);
    this.keys = new Map(keys.map((key) => [keyIdOf(key), key]));
  }

  /**
   * @param context where the secret belongs, such as `two_factors:<id>`: elsewhere it does not open
   * @returns the sealed text
   */
  seal(secret: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key(this.currentId), nonce);
    cipher.setAAD(Buffer.from(context));
    const box = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return this.currentPrefix + box.toString('base64url');
  }

  /**
   * @param context as when it was sealed
   * @throws Error when the text was changed, belongs elsewhere, or was sealed under a key that is not known
   */
  open(sealed: string, context: string): string {
    const [, keyId = '', body = ''] = pattern.exec(sealed) ?? [];
    const box = Buffer.from(body, 'base64url');
    if (box.length < NONCE_BYTES + TAG_BYTES) throw new Error('The text is not sealed.');
    const decipher = createDecipheriv(ALGORITHM, this.key(keyId), box.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(box.subarray(-TAG_BYTES));
    const secret = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString('utf8');
  }

  /** What every text begins with that is sealed under the key that seals now. */
  get currentPrefix(): string {
    return `v1.${this.currentId}.`;
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error('The secret was sealed under a key that is not known.');
    return key;
  }
}
