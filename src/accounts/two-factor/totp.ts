import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * Time-based one-time passwords (RFC 6238) as every authenticator app makes them: SHA-1, six digits, 30 seconds.
 */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the current one that are accepted: clocks differ. */
const WINDOW = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Makes a secret of 160 random bits, in Base32 (RFC 4648) without padding. */
export function generateTotpSecret(): string {
  return toBase32(randomBytes(20));
}

/** The number of the 30-second step that a time, in milliseconds, belongs to. */
export function stepOf(time: number): number {
  return Math.floor(time / 1000 / STEP_SECONDS);
}

/** The code of a step (RFC 4226, 5.3). */
export function totpAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * The step whose code this is, among the current one and its neighbours.
 *
 * @param time in milliseconds
 * @returns `null` when it is the code of none of them
 */
export function matchingStep(secret: string, code: string, time: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const now = stepOf(time);
  let found: number | null = null;
  for (let step = now - WINDOW; step <= now + WINDOW; step++) {
    if (timingSafeEqual(Buffer.from(totpAt(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}

/** What a QR code for an authenticator app holds. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** Base32 (RFC 4648) without padding. */
export function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}
