import { randomBytes } from 'node:crypto';

/** In characters. Capawesome Cloud documents no shortest one, so receivers may have any. */
export const MIN_SECRET_LENGTH = 1;
export const MAX_SECRET_LENGTH = 200;

/** What follows in a secret that begins with it is Base64. Source: Standard Webhooks, "Signature scheme". */
const PREFIX = 'whsec_';
const GENERATED_BYTES = 32;
/** As the specification has it, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in Base64. */
export function generateSigningSecret(): string {
  return PREFIX + randomBytes(GENERATED_BYTES).toString('base64');
}

/**
 * What is wrong with a secret that a user chose: an ASCII text, or one in the form of Standard Webhooks. Secrets that were
 * stored before may have other characters, and sign.
 *
 * @returns a sentence that names the field; `null`: nothing
 */
export function signingSecretProblem(secret: unknown): string | null {
  if (typeof secret !== 'string' || secret.length < MIN_SECRET_LENGTH || secret.length > MAX_SECRET_LENGTH) {
    return `signingSecret must be a text of ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters.`;
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(secret)) return 'signingSecret must not contain control characters.';
  // The documented library takes the low bytes of other characters as the key, and others take their UTF-8.
  if (/[^\x20-\x7e]/.test(secret)) {
    return 'signingSecret must consist of ASCII characters, because libraries turn others into different bytes.';
  }
  if (secret.trim() !== secret) return 'signingSecret must not begin or end with spaces.';
  if (!secret.startsWith(PREFIX)) return null;
  const text = secret.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  if (isBase64 && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES) return null;
  return `signingSecret must have ${MIN_BYTES} to ${MAX_BYTES} bytes in Base64 after ${PREFIX}.`;
}
