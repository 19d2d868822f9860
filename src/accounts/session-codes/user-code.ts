import { randomInt } from 'node:crypto';

/** Consonants only, as RFC 8628 (6.1) advises: they spell no words and are not taken for one another. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const pattern = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Makes a code for people to type: 8 letters of 20, about 34 bits. */
export function generateUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/**
 * Reads a typed code, in any case, with or without dashes and spaces.
 *
 * @returns the code; `null` when it cannot be one
 */
export function parseUserCode(typed: string): string | null {
  const code = typed.replace(/[\s\-\u2010-\u2015]/g, '').toUpperCase();
  return pattern.test(code) ? code : null;
}

/** Formats a code for people: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}
