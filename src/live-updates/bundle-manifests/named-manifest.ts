import { hash } from 'node:crypto';
import type { ManifestItem } from './manifest.js';

/**
 * Path under which the named manifest of a bundle is stored beside its files. No uploaded file can have it: paths in a
 * bundle have no leading slash.
 */
export const NAMED_MANIFEST_HREF = '/named-manifest';

/**
 * A manifest with the same files, whose checksums are equal only if path and content are.
 *
 * Plugins copy a file of the running bundle to a new one when its checksum occurs anywhere in the manifest on the
 * device, from the path that it has in the new bundle, and do not verify the copy (`Manifest.findDuplicateItems`,
 * `copyCurrentBundleFile`, Capacitor plugin 6.5 to 8.4, Cordova plugin 0.1). Two files that exchange their content would
 * keep it. The checksum has no other use for them: downloaded files are verified by the header `X-Checksum`.
 *
 * @param items in the order of the uploaded manifest, which is kept
 * @returns JSON; each checksum is the SHA-256 of `<sha256>\n<href>`, in lower-case hexadecimal
 */
export function toNamedManifest(items: readonly ManifestItem[]): string {
  return JSON.stringify(
    items.map(({ href, checksum, sizeInBytes }) => ({
      checksum: hash('sha256', `${checksum}\n${href}`),
      href,
      sizeInBytes,
    })),
  );
}
