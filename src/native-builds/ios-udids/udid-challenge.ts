import { createHmac, timingSafeEqual } from 'node:crypto';

const SEPARATOR = '.';

/** What a device sends back: where it is led, and until when. The server keeps nothing of it. */
export interface UdidChallenge {
  readonly callbackUrl: string;
  /** In Unix milliseconds. */
  readonly expiresAt: number;
}

/** Signs where a device is led with its UDID. */
export function signChallenge(key: Buffer, { callbackUrl, expiresAt }: UdidChallenge): string {
  const content = Buffer.from(JSON.stringify([callbackUrl, expiresAt])).toString('base64url');
  return content + SEPARATOR + signatureOf(key, content);
}

/** @returns where the device is led; `null`: this server has not signed that, or too long ago */
export function openChallenge(key: Buffer, challenge: string, now: number): string | null {
  const [content = '', signature = '', ...rest] = challenge.split(SEPARATOR);
  const expected = Buffer.from(signatureOf(key, content));
  const actual = Buffer.from(signature);
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  const [callbackUrl, expiresAt] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
    string,
    number,
  ];
  return now < expiresAt ? callbackUrl : null;
}

function signatureOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(`udid-callback:${content}`).digest('base64url');
}
