/** How a caller has authenticated. */
export interface TwoFactorFacts {
  /** Whether the user signs in with an authenticator app. */
  readonly totpEnabled: boolean;
  /** When a second factor was used to sign in, here or at the OpenID provider, for the session or the token's maker. */
  readonly secondFactorAt: Date | null;
  /** How the user signed in, for the session or to create the token; `null`: not known. */
  readonly method: 'password' | 'oidc' | null;
}

/**
 * Whether the caller satisfies `twoFactorRequired` of an organization. The authenticator app guards only the sign-in with
 * a password: a sign-in at the OpenID provider never asks for it, so there the provider must have asked for a second
 * factor.
 */
export function satisfiesTwoFactor({ totpEnabled, secondFactorAt, method }: TwoFactorFacts): boolean {
  return secondFactorAt !== null || (totpEnabled && method !== 'oidc');
}

/** URL of the page for setting up a second factor. @param publicUrl `null`: unknown; the path alone */
export function twoFactorSettings(publicUrl: string | null): string {
  return `${publicUrl ?? ''}/settings/two-factor`;
}
