/** What is known of how a caller proves who it is. */
export interface TwoFactorFacts {
  /** Whether the user signs in with an authenticator app. */
  readonly totpEnabled: boolean;
  /** When a second factor was used to sign in, here or at the OpenID provider, for the session or the token's maker. */
  readonly secondFactorAt: Date | null;
}

/** Whether that is enough for an organization with `twoFactorRequired`: the one place that says so. */
export function satisfiesTwoFactor({ totpEnabled, secondFactorAt }: TwoFactorFacts): boolean {
  return totpEnabled || secondFactorAt !== null;
}

/** Where somebody sets up a second factor. @param publicUrl `null`: not known, the path alone */
export function twoFactorSettings(publicUrl: string | null): string {
  return `${publicUrl ?? ''}/settings/two-factor`;
}
