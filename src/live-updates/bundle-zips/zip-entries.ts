import { type Entry, getFileNameLowLevel } from 'yauzl';
import {
  type BundleWarning,
  findPathWarnings,
  permissionsWarning,
} from '../bundle-content/bundle-warnings.js';
import { findPathConflicts } from '../bundle-content/path-conflicts.js';
import { isHref } from '../bundle-content/href.js';

/** Most entries of a zip, folders included. */
export const MAX_ZIP_ENTRIES = 20_000;
/** Most bytes that a zip may unpack to: 1 GiB. A phone needs them beside the bundle that it runs. */
export const MAX_UNPACKED_BYTES = 1024 ** 3;

const STORED = 0;
const DEFLATED = 8;
/** Flags of an encrypted entry: traditional, strong, and with a hidden header (APPNOTE, 4.4.4). */
const ENCRYPTED = 0x1 | 0x40 | 0x2000;
/** Systems whose upper 16 attribute bits are a Unix mode: Unix and OS X. */
const UNIX_HOSTS = [3, 19];
const MODE_TYPE = 0o170000;
const MODE_FILE = 0o100000;
const MODE_FOLDER = 0o040000;
const MODE_LINK = 0o120000;
/** The bits setuid and setgid. */
const MODE_SPECIAL = 0o6000;

/** An entry of the directory of a zip with its path. */
export interface ZipEntry {
  readonly path: string;
  readonly entry: Entry;
}

/** An entry with its path, which is that of its Unicode extra field if it has one. */
export function withPath(entry: Entry): ZipEntry {
  return { entry, path: pathOf(entry) };
}

export function isFolder(path: string): boolean {
  return path.endsWith('/');
}

/**
 * Problems with the entries of a zip according to its directory.
 *
 * @returns each without a full stop
 */
export function findEntryProblems(entries: readonly ZipEntry[]): string[] {
  const problems = entries.flatMap((entry) => problemOf(entry) ?? []);
  if (problems.length > 0) return problems;
  const files = entries.map(({ path }) => path).filter((path) => !isFolder(path));
  const unpacked = entries.reduce((total, { entry }) => total + entry.uncompressedSize, 0);
  if (unpacked > MAX_UNPACKED_BYTES) {
    problems.push(`it unpacks to ${unpacked} bytes, and at most ${MAX_UNPACKED_BYTES} are allowed`);
  }
  if (!files.some((path) => path.split('/').at(-1) === 'index.html')) problems.push('it has no index.html');
  return [...problems, ...findPathConflicts(files)];
}

/** Warnings about the entries of a zip in which nothing is wrong. */
export function findEntryWarnings(entries: readonly ZipEntry[]): BundleWarning[] {
  const paths = entries.map(({ path }) => path);
  const files = paths.filter((path) => !isFolder(path));
  const folders = paths.filter(isFolder).map((path) => path.slice(0, -1));
  const special = entries.filter(({ entry }) => (unixModeOf(entry) & MODE_SPECIAL) !== 0);
  return [...findPathWarnings('zip', files, folders), ...permissionsWarning(special.map(({ path }) => path))];
}

function problemOf({ entry, path }: ZipEntry): string | null {
  // The plain name must be safe, too: some programs use it.
  const plain = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, [], true);
  if (!isInside(path) || !isInside(plain)) return `${shown(path)} is not a path inside the zip`;
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return `${path} is encrypted`;
  if (![STORED, DEFLATED].includes(entry.compressionMethod)) {
    return `${path} is packed by a method other than deflate`;
  }
  const type = unixModeOf(entry) & MODE_TYPE;
  if (type === MODE_LINK) return `${path} is a symbolic link`;
  if (![0, isFolder(path) ? MODE_FOLDER : MODE_FILE].includes(type)) return `${path} is not an ordinary file`;
  if (isFolder(path) && entry.uncompressedSize > 0) return `${path} is a folder with content`;
  return null;
}

function isInside(path: string): boolean {
  return isHref(isFolder(path) ? path.slice(0, -1) : path);
}

function pathOf(entry: Entry): string {
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
}

/** @returns 0 for a zip of another system */
function unixModeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return UNIX_HOSTS.includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}

/** A path for a message: shortened, without control characters. */
function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
