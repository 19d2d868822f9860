import { TooMuchWorkError } from '../../../common/work-budget.js';
import { isPackageName } from '../../configurations/package-name.js';
import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { ArtifactFacts, ArtifactIcon } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { cleanText } from '../clean-text.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { type PlistDictionary, readPlist, valueOf } from '../../../common/read-plist.js';
import { toOrdinaryPng } from './cgbi-image.js';
import { isPng, sizeOf } from './png-chunks.js';

/** Largest icon: 1 MB. */
const MAX_ICON_BYTES = 1_000_000;

/** Pictures that are read: an icon has one for each size and scale. */
const MAX_FILES = 16;

/** A picture at the root of the app: its name, as `AppIcon60x60`, then scale and kind of device, as `@2x~ipad`. */
const PICTURE = /^([^/]+?)(?:@\dx)?(?:~(?:ipad|iphone))?\.png$/i;

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
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    throw new ArtifactProblem('its Info.plist is damaged');
  }
}

/**
 * The icon of an app: the largest picture that its `Info.plist` names, in the keys that Apple documents under "Information
 * Property List": `CFBundleIcons` (for iPads with `~ipad`), the older `CFBundleIconFiles`, and the oldest `CFBundleIconFile`.
 * Icons that are only in the asset catalog (`Assets.car`) cannot be read.
 *
 * @param folder of the app, with a slash at the end
 * @returns `null`: there is none, or none that can be shown
 */
async function findIcon(
  zip: ArtifactZip,
  folder: string,
  info: PlistDictionary,
): Promise<ArtifactIcon | null> {
  const paths = pathsOf(zip, folder, namesOf(info)).slice(0, MAX_FILES);
  const pictures: Buffer[] = [];
  for (const path of paths) {
    const bytes = await zip.read(path, MAX_ICON_BYTES).catch((error: unknown) => {
      if (error instanceof TooMuchWorkError) throw error;
      return null;
    });
    if (bytes !== null && isPng(bytes)) pictures.push(bytes);
  }
  const areaOf = (bytes: Buffer): number => sizeOf(bytes).width * sizeOf(bytes).height;
  for (const picture of pictures.toSorted((a, b) => areaOf(b) - areaOf(a))) {
    const bytes = toOrdinaryPng(picture, zip.work);
    if (bytes !== null && bytes.length <= MAX_ICON_BYTES) return { bytes, mimeType: 'image/png' };
  }
  return null;
}

/** The names of files, usually without scale and extension. */
function namesOf(info: PlistDictionary): Set<string> {
  const primary = ['CFBundleIcons', 'CFBundleIcons~ipad'].map((key) =>
    valueOf(valueOf(info, key), 'CFBundlePrimaryIcon'),
  );
  const named = [...primary, info].flatMap((icons) => [
    valueOf(icons, 'CFBundleIconFiles'),
    valueOf(icons, 'CFBundleIconFile'),
  ]);
  const names = named
    .flat()
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/\.png$/i, ''));
  return new Set(names.filter((name) => /^[^/]+$/.test(name)).slice(0, MAX_FILES));
}

function pathsOf(zip: ArtifactZip, folder: string, names: ReadonlySet<string>): string[] {
  return zip.paths().filter((path) => {
    if (!path.startsWith(folder)) return false;
    const file = path.slice(folder.length);
    return names.has(PICTURE.exec(file)?.[1] ?? '') || names.has(file.replace(/\.png$/i, ''));
  });
}
