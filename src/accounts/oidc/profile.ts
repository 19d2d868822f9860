import { isEmail } from 'class-validator';
import type { OidcConfig } from '../../config/groups/sign-in-config.js';

/** Values of `amr` (RFC 8176) that mean a second factor: several factors, one-time codes, keys and cards. */
const SECOND_FACTORS = ['mfa', 'otp', 'hwk', 'sc'];
const MAX_NAME_LENGTH = 200;
/** The limit of OpenID Connect Core. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/;

/** What a provider claims about a user. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user as the provider describes them. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; `null` when the provider sends none, or it is malformed. */
  readonly email: string | null;
  /** Whether the provider has checked that the address belongs to the user. */
  readonly emailConfirmed: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Whether a second factor was used. */
  readonly secondFactor: boolean;
}

/**
 * Reads what a provider claims. Claims of the ID token, which is signed, take precedence over those of the user info.
 *
 * @returns `null` when the specification does not allow the subject
 */
export function readProfile(
  config: OidcConfig,
  idToken: Claims & { readonly iss: string; readonly sub: string },
  userInfo: Claims,
): Profile | null {
  if (!subjectPattern.test(idToken.sub)) return null;
  // The claim that confirms an address counts only from the same source as the address.
  const source = idToken[config.emailClaim] === undefined ? userInfo : idToken;
  const claims: Claims = { ...userInfo, ...idToken };
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: emailOf(source[config.emailClaim]),
    emailConfirmed: config.trustEmail || (config.emailClaim === 'email' && isTrue(source['email_verified'])),
    name: nameOf(claims[config.nameClaim]),
    groups: textsOf(claims[config.groupsClaim]),
    secondFactor:
      config.trustSecondFactor || textsOf(idToken['amr']).some((method) => SECOND_FACTORS.includes(method)),
  };
}

/** Some providers send booleans as text. */
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

/** A single text counts as a list of one. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((entry) => typeof entry === 'string');
}
