import { isEmail } from 'class-validator';
import type { OidcConfig } from '../../config/sign-in-config.js';

/** Values of `amr` (RFC 8176) that tell of a second factor: several factors, one-time codes, keys and cards. */
const SECOND_FACTORS = ['mfa', 'otp', 'hwk', 'sc'];
const MAX_NAME_LENGTH = 200;
/** As OpenID Connect Core limits it. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/;

/** What a provider claims about somebody. */
export type Claims = Readonly<Record<string, unknown>>;

/** Somebody as a provider knows them. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; `null` when the provider tells none that is one. */
  readonly email: string | null;
  /** Whether the provider knows that the address is theirs. */
  readonly emailConfirmed: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Whether a second factor was used. */
  readonly secondFactor: boolean;
}

/**
 * Reads what a provider claims. A claim of the ID token, which is signed, comes before that of the user info.
 *
 * @returns `null` when the subject is none that the specification allows
 */
export function readProfile(
  config: OidcConfig,
  idToken: Claims & { readonly iss: string; readonly sub: string },
  userInfo: Claims,
): Profile | null {
  if (!subjectPattern.test(idToken.sub)) return null;
  // Whether an address is confirmed is a matter of who tells it.
  const teller = idToken[config.emailClaim] === undefined ? userInfo : idToken;
  const claims: Claims = { ...userInfo, ...idToken };
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: emailOf(teller[config.emailClaim]),
    emailConfirmed: config.trustEmail || (config.emailClaim === 'email' && isTrue(teller['email_verified'])),
    name: nameOf(claims[config.nameClaim]),
    groups: textsOf(claims[config.groupsClaim]),
    secondFactor:
      config.trustSecondFactor || textsOf(idToken['amr']).some((method) => SECOND_FACTORS.includes(method)),
  };
}

/** Some providers write it as a text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function emailOf(value: unknown): string | null {
  return typeof value === 'string' && isEmail(value) ? value.toLowerCase() : null;
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const printable = value.replace(/\p{C}/gu, '').trim();
  return [...printable].slice(0, MAX_NAME_LENGTH).join('') || null;
}

/** One text counts as a list of one. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((entry) => typeof entry === 'string');
}
