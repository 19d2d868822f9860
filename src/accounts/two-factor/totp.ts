import { Secret, TOTP } from 'otpauth';

/** Time-based one-time passwords (RFC 6238) as every authenticator app makes them; the period is in seconds. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Steps before and after the current one that are accepted, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** Makes a secret of 160 random bits, in Base32 (RFC 4648) without padding. */
export function generateTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * Finds the 30-second step of a code, among the current step and its neighbours.
 *
 * @param time in milliseconds
 * @returns `null` when it is the code of none of them
 */
export function matchingStep(secret: string, code: string, time: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: time, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: time }) + delta;
}

/** What a QR code for an authenticator app holds. It leaves out the parameters that are the defaults of every app. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
