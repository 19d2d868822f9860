import type { SigningPlan } from './signing-plan.js';

/**
 * The settings of Xcode that make each target sign with its profile.
 *
 * @param identity SHA-1 of the certificate in the keychain, in capital hexadecimal digits
 * @returns settings by target
 */
export function signingSettings(
  { teamId, targets }: SigningPlan,
  identity: string,
): Map<string, Readonly<Record<string, string>>> {
  return new Map(
    targets.map(({ target, profile }) => [
      target,
      {
        CODE_SIGN_STYLE: 'Manual',
        DEVELOPMENT_TEAM: teamId,
        PROVISIONING_PROFILE_SPECIFIER: profile.uuid,
        PROVISIONING_PROFILE: profile.uuid,
        CODE_SIGN_IDENTITY: identity,
        'CODE_SIGN_IDENTITY[sdk=iphoneos*]': identity,
      },
    ]),
  );
}
