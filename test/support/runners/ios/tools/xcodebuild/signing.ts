import { resolve } from 'node:path';
import { Refused } from '../refused.ts';
import { readKeychain, usableIdentities } from '../../security/keychain-files.ts';
import { type InstalledProfile, installedProfiles } from './installed-profiles.ts';
import type { BuiltTarget } from './pbxproj.ts';
import type { StandInXcode } from './xcode.ts';

/*
 * Messages are those of Xcode's signing, as its users report them (for example github.com/fastlane/fastlane and
 * github.com/CocoaPods/CocoaPods); the rules are those of Apple's "Build settings reference" and TN3125.
 */

/** What signs one target. */
export interface SignedTarget {
  readonly target: BuiltTarget;
  readonly profile: InstalledProfile;
  readonly identity: string;
}

/** The home of the user, whose keychains and profiles count. */
const home = (): string => process.env['HOME'] ?? '';

/** @throws Refused when a target cannot be signed */
export function signTargets(
  targets: readonly BuiltTarget[],
  settings: ReadonlyMap<string, string>,
  xcode: StandInXcode,
): SignedTarget[] {
  const profiles = installedProfiles(home(), xcode);
  return targets.map((target) => {
    const identity = settingOf(target, 'CODE_SIGN_IDENTITY');
    const profile = profileOf(target, profiles);
    requireIdentity(target.name, identity, keychainOf(settings));
    requireFits(target.name, target.settings['PRODUCT_BUNDLE_IDENTIFIER'] ?? '', profile, identity);
    return { target, profile, identity };
  });
}

/** A setting with a condition wins: "Build settings reference", conditions. */
function settingOf({ settings }: BuiltTarget, name: string): string {
  return settings[`${name}[sdk=iphoneos*]`] ?? settings[name] ?? '';
}

function profileOf(target: BuiltTarget, profiles: readonly InstalledProfile[]): InstalledProfile {
  const { name } = target;
  if (settingOf(target, 'CODE_SIGN_STYLE') !== 'Manual') {
    throw failed(`error: No Accounts: Add a new account in Accounts settings. (in target '${name}')`);
  }
  const team = settingOf(target, 'DEVELOPMENT_TEAM');
  if (team === '') {
    throw failed(
      `error: Signing for "${name}" requires a development team. Select a development team in the Signing & Capabilities editor. (in target '${name}' from project 'App')`,
    );
  }
  // The name or the UUID.
  const wanted = settingOf(target, 'PROVISIONING_PROFILE_SPECIFIER');
  const bundleId = target.settings['PRODUCT_BUNDLE_IDENTIFIER'];
  if (wanted === '') {
    throw failed(
      `error: "${name}" requires a provisioning profile. Select a provisioning profile in the Signing & Capabilities editor. (in target '${name}' from project 'App')`,
    );
  }
  const found = profiles.find((profile) => profile.uuid === wanted || profile.name === wanted);
  if (found === undefined || found.teamId !== team) {
    throw failed(
      `error: No profile for team '${team}' matching '${wanted}' found: Xcode couldn't find any provisioning profiles matching '${team}/${wanted}'. Install the profile (by dragging and dropping it onto Xcode's dock item) or select a different one in the Signing & Capabilities tab of the target editor. (in target '${name}' from project 'App', bundle id ${bundleId})`,
    );
  }
  return found;
}

/** The identity must be usable without a window, and codesign looks in the keychain of --keychain only. */
export function requireIdentity(name: string, identity: string, keychain: string | null): void {
  const isUsable = usableIdentities(home()).some(({ sha1 }) => sha1 === identity);
  const isThere =
    keychain === null || readKeychain(keychain)?.identities.some(({ sha1 }) => sha1 === identity) === true;
  if (isUsable && isThere) return;
  throw failed(
    `error: No signing certificate "${identity}" found: No "${identity}" signing certificate matching team ID with a private key was found. (in target '${name}' from project 'App')`,
  );
}

export function requireFits(
  name: string,
  bundleId: string,
  profile: InstalledProfile,
  identity: string,
): void {
  const shown = `error: Provisioning profile "${profile.name}"`;
  const prefix = profile.bundleId.endsWith('*') ? profile.bundleId.slice(0, -1) : null;
  if (prefix === null ? profile.bundleId !== bundleId : !bundleId.startsWith(prefix)) {
    throw failed(
      `${shown} has app ID "${profile.bundleId}", which does not match the bundle ID "${bundleId}". (in target '${name}' from project 'App')`,
    );
  }
  if (!profile.certificates.includes(identity)) {
    throw failed(
      `${shown} doesn't include signing certificate "${identity}". (in target '${name}' from project 'App')`,
    );
  }
  if (profile.expiresAt.getTime() < Date.now()) {
    throw failed(`${shown} expired on ${profile.expiresAt.toISOString()}. (in target '${name}')`);
  }
}

/** OTHER_CODE_SIGN_FLAGS: arguments of codesign(1), separated by spaces outside of quotes. */
function keychainOf(settings: ReadonlyMap<string, string>): string | null {
  const flags = settings.get('OTHER_CODE_SIGN_FLAGS') ?? '';
  const [, quoted, plain] = /^--keychain (?:"([^"]+)"|(\S+))$/.exec(flags) ?? [];
  const path = quoted ?? plain;
  if (flags !== '' && path === undefined) throw failed(`error: unknown arguments of codesign: ${flags}`);
  return path === undefined ? null : resolve(path);
}

function failed(message: string): Refused {
  return new Refused(`${message}\n** ARCHIVE FAILED **`, 65);
}
