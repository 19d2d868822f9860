import { InvalidRequestError } from '../../common/errors/app-error.js';
import { hasMoreValues } from '../../common/http/has-more-values.js';
import { isHref, MANIFEST_HREF } from '../bundle-content/href.js';
import { findPathConflicts } from '../bundle-content/path-conflicts.js';
import { refusal } from '../bundle-content/bundle-errors.js';

/** Largest manifest that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 20 * 1024 * 1024;
/** Most files of a bundle in manifest form. A device downloads a new one file by file. */
export const MAX_MANIFEST_FILES = 20_000;
/** Most values in a manifest: 16 for each file, of which three are needed. */
const MAX_VALUES = 16 * MAX_MANIFEST_FILES;
/** Names of files that clients upload together with the others, but do not list. */
const UNLISTED_NAMES = [MANIFEST_HREF, '.DS_Store'];

/** One entry of a manifest. */
export interface ManifestItem {
  /** Path of the file inside the bundle. */
  readonly href: string;
  /** SHA-256, lower-case hexadecimal, whatever the manifest writes. */
  readonly checksum: string;
  readonly sizeInBytes: number;
}

export interface StoredFile {
  readonly href: string;
  /** `null`: announced, but not uploaded yet. */
  readonly sha256: string | null;
  readonly sizeInBytes: number;
}

/**
 * Reads a manifest as the plugins do: a JSON array of `{ href, checksum, sizeInBytes }`, in any order.
 *
 * @throws InvalidRequestError when it is anything else, names no `index.html`, or names files that cannot coexist on
 *   every device
 */
export function parseManifest(text: string): ManifestItem[] {
  const items = parseJson(text);
  if (!Array.isArray(items)) throw invalid('is not a JSON array');
  if (items.length > MAX_MANIFEST_FILES) {
    throw invalid(`names ${items.length} files, and at most ${MAX_MANIFEST_FILES} are allowed`);
  }
  const read = items.map((item: unknown, index): ManifestItem => {
    if (!isManifestItem(item)) {
      throw invalid(`entry ${index} is not an object with href, checksum and sizeInBytes`);
    }
    return { ...item, checksum: item.checksum.toLowerCase() };
  });
  const problems = findPathConflicts(read.map(({ href }) => href));
  if (!read.some(({ href }) => href.split('/').at(-1) === 'index.html'))
    problems.push('it names no index.html');
  if (problems.length > 0) {
    throw refusal(`The manifest ${MANIFEST_HREF} is not valid`, 'invalid_manifest', 'manifest', problems);
  }
  return read;
}

/**
 * The text of a manifest, with a byte order mark if it has one.
 *
 * @throws InvalidRequestError when it is not UTF-8
 */
export function decodeManifest(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid('is not UTF-8');
  }
}

/**
 * Compares a manifest with the stored files.
 *
 * @throws InvalidRequestError naming the first files that are missing, differ, or are not listed
 */
export function verifyManifest(items: readonly ManifestItem[], files: readonly StoredFile[]): void {
  const stored = new Map(files.map((file) => [file.href, file]));
  const listed = new Set(items.map(({ href }) => href));
  const problems = [
    ...items.flatMap((item) => problemOf(item, stored.get(item.href))),
    ...files
      .filter(({ href, sha256 }) => sha256 !== null && !listed.has(href) && !mayBeUnlisted(href))
      .map(({ href }) => `${href} was uploaded, but the manifest does not name it`),
  ];
  if (problems.length > 0)
    throw refusal('The bundle is not complete', 'incomplete_bundle', 'manifest', problems);
}

function mayBeUnlisted(href: string): boolean {
  return UNLISTED_NAMES.includes(href.split('/').at(-1) ?? '');
}

function problemOf(item: ManifestItem, file: StoredFile | undefined): string[] {
  if (file === undefined) return [`${item.href} was not uploaded`];
  if (file.sha256 === null) return [`the upload of ${item.href} was not completed`];
  if (file.sha256 !== item.checksum) return [`${item.href} has another checksum than the manifest says`];
  if (file.sizeInBytes !== item.sizeInBytes) return [`${item.href} has another size than the manifest says`];
  return [];
}

function parseJson(text: string): unknown {
  // The JSON readers of iOS and Android fail on it.
  if (text.startsWith('\ufeff')) throw invalid('starts with a byte order mark, which devices cannot read');
  if (hasMoreValues(text, MAX_VALUES)) throw invalid(`holds more than ${MAX_VALUES} values`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('is not JSON');
  }
}

function isManifestItem(item: unknown): item is ManifestItem {
  if (typeof item !== 'object' || item === null) return false;
  const { href, checksum, sizeInBytes } = item as Partial<Record<keyof ManifestItem, unknown>>;
  return (
    typeof href === 'string' &&
    isHref(href) &&
    typeof checksum === 'string' &&
    /^[0-9A-Fa-f]{64}$/.test(checksum) &&
    Number.isSafeInteger(sizeInBytes) &&
    (sizeInBytes as number) >= 0
  );
}

function invalid(what: string): InvalidRequestError {
  return new InvalidRequestError(`The manifest ${MANIFEST_HREF} ${what}.`, 'invalid_manifest');
}
