import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'plist';
import { isAtLeast, type StandInXcode } from './xcode.ts';

/** A provisioning profile that is installed for the user. */
export interface InstalledProfile {
  readonly bytes: Buffer;
  readonly uuid: string;
  readonly name: string;
  readonly teamId: string;
  /** Without the prefix of the team. */
  readonly bundleId: string;
  readonly type: 'development' | 'ad-hoc' | 'app-store' | 'enterprise';
  readonly expiresAt: Date;
  /** SHA-1 of the certificates, in capital hexadecimal digits. */
  readonly certificates: readonly string[];
}

/**
 * The folders that an Xcode reads: since Xcode 16 that of the user data of Xcode, before that MobileDevice (release notes of
 * Xcode 16: "provisioning profiles are now in ~/Library/Developer/Xcode/UserData/Provisioning Profiles").
 */
export function installedProfiles(home: string, xcode: StandInXcode): InstalledProfile[] {
  const folder = join(
    home,
    isAtLeast(xcode, '16')
      ? 'Library/Developer/Xcode/UserData/Provisioning Profiles'
      : 'Library/MobileDevice/Provisioning Profiles',
  );
  return namesIn(folder)
    .filter((name) => name.endsWith('.mobileprovision'))
    .map((name) => readProfile(readFileSync(join(folder, name))));
}

/** The property list in a signed message, as it stands there in clear. */
function readProfile(bytes: Buffer): InstalledProfile {
  const text = bytes.toString('latin1');
  const end = '</plist>';
  const plist = text.slice(text.indexOf('<?xml'), text.indexOf(end) + end.length);
  const facts = parse(Buffer.from(plist, 'latin1').toString()) as Record<string, unknown>;
  const entitlements = facts['Entitlements'] as Record<string, unknown>;
  const [teamId = ''] = facts['TeamIdentifier'] as string[];
  return {
    bytes,
    teamId,
    uuid: String(facts['UUID']),
    name: String(facts['Name']),
    bundleId: String(entitlements['application-identifier']).slice(teamId.length + 1),
    type: typeOf(facts, entitlements['get-task-allow'] === true),
    expiresAt: facts['ExpirationDate'] as Date,
    certificates: (facts['DeveloperCertificates'] as Uint8Array[]).map((der) =>
      createHash('sha1').update(der).digest('hex').toUpperCase(),
    ),
  };
}

/** TN3125 of Apple, "Inside Code Signing: Provisioning Profiles". */
function typeOf(facts: Record<string, unknown>, isDebug: boolean): InstalledProfile['type'] {
  if (facts['ProvisionsAllDevices'] === true) return 'enterprise';
  if (!Array.isArray(facts['ProvisionedDevices'])) return 'app-store';
  return isDebug ? 'development' : 'ad-hoc';
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
