import type { Entry } from 'yauzl';
import { findContentProblem, findNameProblem, shownPath } from '../../common/archives/entry-problems.js';
import { readZipName, type ZipName } from '../../common/archives/zip-name.js';
import type { Warning } from '../../common/warnings/warning.js';
import {
  findPathWarnings,
  guessedNamesWarning,
  permissionsWarning,
} from '../bundle-content/bundle-warnings.js';
import { findPathConflicts } from '../bundle-content/path-conflicts.js';
import { isHref } from '../bundle-content/href.js';

/** Most entries of a zip, folders included. */
export const MAX_ZIP_ENTRIES = 20_000;
/** Most bytes that a zip may unpack to: 1 GiB. A phone needs them beside the bundle that it runs. */
export const MAX_UNPACKED_BYTES = 1024 ** 3;

/** Systems whose upper 16 attribute bits are a Unix mode: Unix and OS X. */
const UNIX_HOSTS = [3, 19];
const MODE_TYPE = 0o170000;
const MODE_FILE = 0o100000;
const MODE_FOLDER = 0o040000;
const MODE_LINK = 0o120000;
/** The bits setuid and setgid. */
const MODE_SPECIAL = 0o6000;

/** Bytes of an entry of the directory without its name, its extra field and its comment (APPNOTE, 4.3.12). */
const DIRECTORY_ENTRY_BYTES = 46;

/** An entry of the directory of a zip with its path. */
export interface ZipEntry {
  readonly path: string;
  readonly name: ZipName;
  readonly entry: Entry;
  /** Where it begins. */
  readonly position: number;
}

/** An entry with its path. @param position where it begins */
export function withPath(entry: Entry, position: number): ZipEntry {
  const name = readZipName(entry);
  return { path: name.path, name, entry, position };
}

/** Where the next entry of the directory begins. */
export function endOf({ entry, position }: ZipEntry): number {
  const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
  return position + DIRECTORY_ENTRY_BYTES + fileNameLength + extraFieldLength + fileCommentLength;
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
export function findEntryWarnings(entries: readonly ZipEntry[]): Warning[] {
  const paths = entries.map(({ path }) => path);
  const files = paths.filter((path) => !isFolder(path));
  const folders = paths.filter(isFolder).map((path) => path.slice(0, -1));
  const special = entries.filter(({ entry }) => (unixModeOf(entry) & MODE_SPECIAL) !== 0);
  const guessed = entries.filter(({ name }) => name.encoding === 'cp437');
  return [
    ...findPathWarnings('zip', files, folders),
    ...permissionsWarning(special.map(({ path }) => path)),
    ...guessedNamesWarning(guessed.map(({ path }) => path)),
  ];
}

function problemOf({ entry, name, path }: ZipEntry): string | null {
  const wrongName = findNameProblem(name, isInside);
  if (wrongName !== null) return wrongName;
  const unreadable = findContentProblem(entry);
  if (unreadable !== null) return `${shownPath(path)} ${unreadable}`;
  const type = unixModeOf(entry) & MODE_TYPE;
  if (type === MODE_LINK) return `${path} is a symbolic link`;
  if (![0, isFolder(path) ? MODE_FOLDER : MODE_FILE].includes(type)) return `${path} is not an ordinary file`;
  if (isFolder(path) && entry.uncompressedSize > 0) return `${path} is a folder with content`;
  return null;
}

function isInside(path: string): boolean {
  return isHref(isFolder(path) ? path.slice(0, -1) : path);
}

/** @returns 0 for a zip of another system */
function unixModeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return UNIX_HOSTS.includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}
