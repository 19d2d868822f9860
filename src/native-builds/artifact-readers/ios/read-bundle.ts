import { isPackageName } from '../../configurations/package-name.js';
import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { cleanText } from '../clean-text.js';
import type { ArtifactZip } from '../zip/artifact-zip.js';
import { findIcon } from './find-icon.js';
import { type PlistDictionary, readPlist, valueOf } from '../../../common/plists/read-plist.js';

/** Largest `Info.plist` and profile. */
export const MAX_PLIST_BYTES = 1024 * 1024;

/** What the folder of an app says; not who signed it. */
export type BundleFacts = Omit<ArtifactFacts, 'debuggable' | 'signer'>;

/**
 * Reads the folder of an app.
 *
 * @param folder with a slash at the end
 * @throws ArtifactProblem when it is no app
 */
export async function readBundle(zip: ArtifactZip, folder: string): Promise<BundleFacts> {
  const info = parseInfo(await zip.read(`${folder}Info.plist`, MAX_PLIST_BYTES));
  const textOf = (key: string): string | null => cleanText(valueOf(info, key));
  const packageName = textOf('CFBundleIdentifier') ?? '';
  if (!isPackageName(packageName))
    throw new ArtifactProblem('its Info.plist has no valid CFBundleIdentifier');
  return {
    packageName,
    versionName: textOf('CFBundleShortVersionString'),
    versionCode: textOf('CFBundleVersion'),
    minSdkVersion: null,
    targetSdkVersion: null,
    minOsVersion: textOf('MinimumOSVersion'),
    label: textOf('CFBundleDisplayName') ?? textOf('CFBundleName'),
    formFactor: null,
    applePlatform: platformOf(textOf('DTPlatformName')),
    usesNonExemptEncryption: booleanOf(valueOf(info, 'ITSAppUsesNonExemptEncryption')),
    icon: await findIcon(zip, folder, info),
  };
}

/** As Xcode names the SDKs. Without one, it is the one that most are for. */
const PLATFORMS: ReadonlyMap<string, ApplePlatform> = new Map([
  ['iphoneos', 'ios'],
  ['appletvos', 'tvos'],
  ['xros', 'visionos'],
]);

function platformOf(name: string | null): ApplePlatform | null {
  return name === null ? 'ios' : (PLATFORMS.get(name.toLowerCase()) ?? null);
}

function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function parseInfo(file: Buffer): PlistDictionary {
  try {
    return readPlist(file);
  } catch {
    throw new ArtifactProblem('its Info.plist is damaged');
  }
}
