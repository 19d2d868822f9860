/** How a caller has authenticated. */
export interface TwoFactorFacts {
  /** Whether the user signs in with an authenticator app. */
  readonly totpEnabled: boolean;
  /** When a second factor was used to sign in, here or at the OpenID provider, for the session or the token's maker. */
  readonly secondFactorAt: Date | null;
}

/** Whether the caller satisfies `twoFactorRequired` of an organization. */
export function satisfiesTwoFactor({ totpEnabled, secondFactorAt }: TwoFactorFacts): boolean {
  return totpEnabled || secondFactorAt !== null;
}

/** URL of the page for setting up a second factor. @param publicUrl `null`: unknown; the path alone */
export function twoFactorSettings(publicUrl: string | null): string {
  return `${publicUrl ?? ''}/settings/two-factor`;
}
