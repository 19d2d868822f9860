import { randomBytes } from 'node:crypto';

/*
 * A license key is `SLIP-XXXXX-XXXXX-XXXXX-XXXXX` in the digits of Crockford's Base32, which has no letters that look
 * like others: 18 random digits (90 bits), and two check digits, their remainder modulo the prime 1021. One wrong digit,
 * or two swapped neighbours, always change the remainder.
 */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pattern = /^SLIP(-[0-9A-HJKMNP-TV-Z]{5}){4}$/;
const RANDOM_DIGITS = 18;
const MODULUS = 1021;

/** Makes a new license key. */
export function generateLicenseKey(): string {
  const body = Array.from(randomBytes(RANDOM_DIGITS), (byte) => digits.charAt(byte % digits.length)).join('');
  const groups = (body + checkDigits(body)).match(/.{5}/g) ?? [];
  return ['SLIP', ...groups].join('-');
}

/** Whether the text has the form of a license key and correct check digits. It may still not exist. */
export function isLicenseKey(text: string): boolean {
  if (!pattern.test(text)) return false;
  const code = text.slice('SLIP'.length).replaceAll('-', '');
  return code.endsWith(checkDigits(code.slice(0, RANDOM_DIGITS)));
}

function checkDigits(body: string): string {
  let rest = 0;
  for (const digit of body) rest = (rest * digits.length + digits.indexOf(digit)) % MODULUS;
  return digits.charAt(Math.floor(rest / digits.length)) + digits.charAt(rest % digits.length);
}
