import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed address of a share opens. */
export interface SignedFile {
  readonly shareId: string;
  /** Id of the artifact, or `icon`. */
  readonly file: string;
  /** In Unix milliseconds. */
  readonly expiresAt: number;
  /** Hash of the password that the share has now: another password ends the address. `null`: it has none. */
  readonly passwordHash: string | null;
}

/** Signs an address of a file, which then needs no password until it expires. @returns 64 hexadecimal digits */
export function signFile(key: Buffer, { shareId, file, expiresAt, passwordHash }: SignedFile): string {
  const text = JSON.stringify(['share-download', shareId, file, expiresAt, passwordHash]);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Whether the signature was made for this file, time and password, and the time has not passed. */
export function isFileSigned(key: Buffer, signed: SignedFile, signature: string, now: number): boolean {
  const expected = Buffer.from(signFile(key, signed));
  const actual = Buffer.from(signature);
  return now < signed.expiresAt && actual.length === expected.length && timingSafeEqual(actual, expected);
}
