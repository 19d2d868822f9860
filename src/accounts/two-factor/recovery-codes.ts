import { Secret } from 'otpauth';

const CODES = 10;
const BYTES = 10;

/** Makes ten recovery codes of 80 random bits each, as the page shows them: `ABCD-EFGH-IJKL-MNOP`. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    (new Secret({ size: BYTES }).base32.match(/.{4}/g) ?? []).join('-'),
  );
}

/**
 * Reads a recovery code in any case, with or without dashes and spaces.
 *
 * @returns the code without dashes; `null` when it cannot be one
 */
export function parseRecoveryCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(code) ? code : null;
}
