import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs a download, which then needs no token until it expires: HMAC-SHA-256 over the artifact and the time.
 *
 * @param key secret of the server
 * @param artifactId the artifact that may be downloaded
 * @param expiresAt in Unix milliseconds
 * @returns 64 hexadecimal digits
 */
export function signDownload(key: Buffer, artifactId: string, expiresAt: number): string {
  return createHmac('sha256', key).update(`artifact-download:${artifactId}:${expiresAt}`).digest('hex');
}

/** Whether the signature was made for this artifact and time, and the time has not passed. */
export function isDownloadSigned(
  key: Buffer,
  artifactId: string,
  expiresAt: number,
  signature: string,
  now: number,
): boolean {
  const expected = Buffer.from(signDownload(key, artifactId, expiresAt));
  const actual = Buffer.from(signature);
  return now < expiresAt && actual.length === expected.length && timingSafeEqual(actual, expected);
}
