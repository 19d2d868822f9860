import { InvalidRequestError } from '../../common/errors/app-error.js';
import { isHref, MANIFEST_HREF } from './href.js';

/** Largest manifest that is read, in bytes: room for about 100,000 files. */
export const MAX_MANIFEST_BYTES = 20 * 1024 * 1024;

/** One entry of a manifest. */
export interface ManifestItem {
  /** Path of the file inside the bundle. */
  readonly href: string;
  /** SHA-256, lower-case hexadecimal. */
  readonly checksum: string;
  readonly sizeInBytes: number;
}

/** A file as it is stored. */
export interface StoredFile {
  readonly href: string;
  /** `null`: announced, but its bytes have not arrived. */
  readonly sha256: string | null;
  readonly sizeInBytes: number;
}

/**
 * Reads a manifest as the plugins do: a JSON array of `{ href, checksum, sizeInBytes }`, in any order.
 *
 * @throws InvalidRequestError when it is anything else, or names a file twice
 */
export function parseManifest(text: string): ManifestItem[] {
  const items = parseJson(text);
  if (!Array.isArray(items)) throw invalid('is not a JSON array');
  const seen = new Set<string>();
  items.forEach((item: unknown, index) => {
    if (!isManifestItem(item)) {
      throw invalid(`entry ${index} is not an object with href, checksum and sizeInBytes`);
    }
    if (seen.has(item.href)) throw invalid(`names ${item.href} twice`);
    seen.add(item.href);
  });
  return items as ManifestItem[];
}

/**
 * Compares a manifest with the stored files.
 *
 * @throws InvalidRequestError naming the first files that are missing or differ
 */
export function verifyManifest(items: readonly ManifestItem[], files: readonly StoredFile[]): void {
  const stored = new Map(files.map((file) => [file.href, file]));
  const problems = items.flatMap((item) => problemOf(item, stored.get(item.href)));
  if (problems.length === 0) return;
  const [first = '', ...others] = problems;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new InvalidRequestError(
    `The bundle is not complete: ${first}${more}.`,
    'incomplete_bundle',
    problems.slice(0, 20).map((message) => ({ field: 'manifest', message: `${message}.` })),
  );
}

function problemOf(item: ManifestItem, file: StoredFile | undefined): string[] {
  if (file === undefined) return [`${item.href} was not uploaded`];
  if (file.sha256 === null) return [`the upload of ${item.href} was not completed`];
  if (file.sha256 !== item.checksum) return [`${item.href} has another checksum than the manifest says`];
  if (file.sizeInBytes !== item.sizeInBytes) return [`${item.href} has another size than the manifest says`];
  return [];
}

function parseJson(text: string): unknown {
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
    /^[0-9a-f]{64}$/.test(checksum) &&
    Number.isSafeInteger(sizeInBytes) &&
    (sizeInBytes as number) >= 0
  );
}

function invalid(what: string): InvalidRequestError {
  return new InvalidRequestError(`The manifest ${MANIFEST_HREF} ${what}.`, 'invalid_manifest');
}
