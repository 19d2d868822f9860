import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * An API token is `ca_`, 40 random hexadecimal digits (160 bits) and 8 digits of CRC-32 over what stands before.
 * The prefix is what the command-line tool recognizes; the checksum lets a scanner, and the server before it asks
 * the database, tell a token from a random string.
 */
const prefix = 'ca_';
const pattern = /^ca_[0-9a-f]{48}$/;

/** Makes a new API token. It is shown once; only its hash is stored. */
export function generateApiToken(): string {
  const body = prefix + randomBytes(20).toString('hex');
  return body + checksum(body);
}

/** Whether the text has the form of an API token and its checksum fits. Says nothing about its validity. */
export function isApiToken(text: string): boolean {
  return pattern.test(text) && text.endsWith(checksum(text.slice(0, -8)));
}

/** SHA-256 of a token, in lower-case hexadecimal: the only form in which a token is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** CRC-32 as 8 hexadecimal digits. */
export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
