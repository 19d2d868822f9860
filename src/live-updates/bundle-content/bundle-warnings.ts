import type { Warning } from '../../common/warnings/warning.js';

/** Reserved device names of Windows, with any extension: `aux.js` is reserved, too. */
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
/** Windows removes dots and blanks at the end of a name, so another name would arrive. */
const UNUSABLE_ON_WINDOWS = /[<>:"|?*]|[. ]$/;
/** Longest path in a message, in characters. */
const SHOWN = 200;

/**
 * Warnings about the paths of a bundle.
 *
 * @param type devices compare the next bundle with the manifest of this one, unless it is above the folder that they keep
 * @param files paths of its files, one of them an `index.html`
 * @param folders paths of its folders, as far as they are listed
 */
export function findPathWarnings(
  type: 'zip' | 'manifest',
  files: readonly string[],
  folders: readonly string[] = [],
): Warning[] {
  return [
    ...wrappingFolder(type, files),
    ...indexWarning(type, files),
    ...windowsNames([...files, ...folders]),
  ];
}

/**
 * A warning about entries of a zip with the setuid or setgid bit. Devices do not execute the files of a bundle, so the bits
 * have no effect; folders of a shared workspace often have them.
 */
export function permissionsWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  const message = `${shown(paths)} has the setuid or setgid bit, which no device needs.`;
  return [{ code: 'special_permissions', message }];
}

/** What to do about names of which a zip does not say how they are encoded. */
const PACK_IN_UTF8 = 'pack again with a program that sets the UTF-8 flag, such as 7-Zip';

/** A warning about entries of a signed zip whose names are in UTF-8, which the zip does not say. */
export function missingFlagsWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  const message = `The name of ${shown(paths)} is in UTF-8, but has no UTF-8 flag: some devices save the file under another name. The zip is signed, so Slipway leaves it unchanged: ${PACK_IN_UTF8}, and sign the new zip.`;
  return [{ code: 'missing_utf8_flag', message }];
}

/** A warning about entries of a zip whose names are neither ASCII nor UTF-8. */
export function guessedNamesWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  const message = `The name of ${shown(paths)} is not in UTF-8, so it is read as CP437. If that is not the name, ${PACK_IN_UTF8}.`;
  return [{ code: 'missing_utf8_flag', message }];
}

/** A warning about a bundle in manifest form with version constraints for Electron. */
export function manifestForElectron(): Warning {
  return {
    code: 'manifest_for_electron',
    message:
      'The build has version constraints for Electron, which reads zip bundles only: Electron devices do not get this bundle.',
  };
}

/**
 * A warning about empty files of a manifest bundle, which the Capacitor plugin on iOS cannot download from 6.6.0 until before
 * 7.2.2.
 *
 * @param isZipped whether these devices get a zip of the bundle instead
 */
export function emptyFilesWarning(
  files: readonly { readonly href: string; readonly sizeInBytes: number }[],
  isZipped: boolean,
): Warning[] {
  const empty = files.filter(({ sizeInBytes }) => sizeInBytes === 0).map(({ href }) => href);
  if (empty.length === 0) return [];
  const message =
    `${shown(empty)} is empty, which the Capacitor plugin on iOS cannot download in the versions 6.6.0 to 7.2.1: ` +
    (isZipped
      ? 'these devices get the bundle as a zip, as soon as Slipway has made it.'
      : 'these devices do not get the bundle.');
  return [{ code: 'empty_files', message }];
}

/**
 * A warning about a registered bundle without a checksum, which the Capacitor plugin on Android cannot install from 6.7.0 until
 * before 7.0.0, and from 7.1.0 until before 7.4.0, unless it verifies a signature instead.
 */
export function missingChecksumWarning({
  checksum,
  signature,
}: {
  readonly checksum: string | null;
  readonly signature: string | null;
}): Warning[] {
  if (checksum !== null || signature !== null) return [];
  const message =
    'The bundle has no checksum, without which the Capacitor plugin on Android cannot install it in the versions 6.7 to 6.8 and 7.1 to 7.3: these devices do not get the bundle.';
  return [{ code: 'missing_checksum', message }];
}

/** What follows from an `index.html` that is not at the root of a manifest bundle. */
const WITHOUT_REUSE =
  'keep only the folder of the index.html, without the manifest, and download all files of each update';

function wrappingFolder(type: 'zip' | 'manifest', files: readonly string[]): Warning[] {
  const folder = wrappingFolderOf(files);
  if (folder === null) return [];
  const message =
    type === 'manifest'
      ? `Everything is in the folder ${folder}. Devices ${WITHOUT_REUSE}: publish the content of the folder instead.`
      : `Everything is in the folder ${folder}. Devices find the index.html there, but publish the content of the folder instead.`;
  return [{ code: 'wrapping_folder', message }];
}

/** @returns `null`: there is none */
function wrappingFolderOf(files: readonly string[]): string | null {
  const folder = files[0]?.split('/')[0];
  return folder !== undefined && files.every((path) => path.startsWith(`${folder}/`)) ? folder : null;
}

/** The plugins search all folders for an `index.html` and take the first one that they find. */
function indexWarning(type: 'zip' | 'manifest', files: readonly string[]): Warning[] {
  const [first, second] = files.filter((path) => path.split('/').at(-1) === 'index.html');
  if (first === undefined || files.includes('index.html')) return [];
  if (second !== undefined) {
    const message = `There is no index.html at the root, but ${first} and ${second}: which one a device starts with is undefined.`;
    return [{ code: 'ambiguous_index', message }];
  }
  const isAtTheRootOfAll = first.split('/').length === 2 && wrappingFolderOf(files) !== null;
  if (isAtTheRootOfAll) return [];
  const found = `There is no index.html at the root: devices start with ${first}, and its folder is the root of the app.`;
  const message = type === 'manifest' ? `${found} They ${WITHOUT_REUSE}.` : found;
  return [{ code: 'index_not_at_root', message }];
}

function windowsNames(paths: readonly string[]): Warning[] {
  const found = paths.filter((path) =>
    path.split('/').some((name) => RESERVED_ON_WINDOWS.test(name) || UNUSABLE_ON_WINDOWS.test(name)),
  );
  if (found.length === 0) return [];
  const message = `Windows cannot unpack ${shown(found)}: the name is reserved there, ends with a dot or a blank, or contains one of < > : " | ? *.`;
  return [{ code: 'windows_names', message }];
}

/** The first path and the number of the others. */
function shown([first = '', ...others]: readonly string[]): string {
  const path = JSON.stringify(first.length > SHOWN ? `${first.slice(0, SHOWN)}…` : first);
  return others.length === 0 ? path : `${path} (and ${others.length} more)`;
}
