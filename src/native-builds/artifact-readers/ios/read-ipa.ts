import { isPackageName } from '../../configurations/package-name.js';
import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { cleanText } from '../clean-text.js';
import type { ArtifactZip } from '../zip/artifact-zip.js';
import { type PlistDictionary, readPlist, valueOf } from '../../../common/plists/read-plist.js';
import { type ReadProfile, readProfile } from './read-profile.js';

const APP = /^Payload\/[^/]+\.app\//;
const MAX_PLIST_BYTES = 1024 * 1024;

/** @throws ArtifactProblem when the file is no ipa that can be read */
export async function readIpa(zip: ArtifactZip): Promise<ArtifactFacts> {
  const folder = appFolderOf(zip);
  const info = parseInfo(await zip.read(`${folder}Info.plist`, MAX_PLIST_BYTES));
  const textOf = (key: string): string | null => cleanText(valueOf(info, key));
  const packageName = textOf('CFBundleIdentifier') ?? '';
  if (!isPackageName(packageName))
    throw new ArtifactProblem('its Info.plist has no valid CFBundleIdentifier');
  const profile = await findProfile(zip, folder);
  return {
    packageName,
    versionName: textOf('CFBundleShortVersionString'),
    versionCode: textOf('CFBundleVersion'),
    minSdkVersion: null,
    targetSdkVersion: null,
    minOsVersion: textOf('MinimumOSVersion'),
    label: textOf('CFBundleDisplayName') ?? textOf('CFBundleName'),
    formFactor: null,
    debuggable: profile?.debuggable ?? false,
    applePlatform: platformOf(textOf('DTPlatformName')),
    usesNonExemptEncryption: booleanOf(valueOf(info, 'ITSAppUsesNonExemptEncryption')),
    signer: profile?.signer ?? null,
    icon: null,
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

/** With a slash at the end. */
function appFolderOf(zip: ArtifactZip): string {
  const folders = new Set(zip.paths().flatMap((path) => APP.exec(path)?.[0] ?? []));
  const [folder = ''] = folders;
  if (folders.size === 1) return folder;
  throw new ArtifactProblem(`it has ${folders.size} apps in the folder Payload, and must have one`);
}

function parseInfo(file: Buffer): PlistDictionary {
  try {
    return readPlist(file);
  } catch {
    throw new ArtifactProblem('its Info.plist is damaged');
  }
}

/** @returns `null`: there is none. Apps from the App Store have none. */
async function findProfile(zip: ArtifactZip, folder: string): Promise<ReadProfile | null> {
  const path = `${folder}embedded.mobileprovision`;
  if (!zip.has(path)) return null;
  const file = await zip.read(path, MAX_PLIST_BYTES);
  try {
    return readProfile(file);
  } catch {
    throw new ArtifactProblem('its embedded.mobileprovision is damaged');
  }
}
