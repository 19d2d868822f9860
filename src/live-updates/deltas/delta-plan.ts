import type { ManifestItem } from '../bundle-manifests/manifest.js';

/**
 * The files of a bundle that a device with another one has to fetch, by path: those whose content is nowhere in the
 * other bundle, as the plugins compare them.
 */
export function missingFiles(to: readonly ManifestItem[], from: readonly ManifestItem[]): ManifestItem[] {
  const known = new Set(from.map(({ checksum }) => checksum));
  return to
    .filter(({ checksum }) => !known.has(checksum))
    .sort((a, b) => (a.href < b.href ? -1 : Number(a.href > b.href)));
}
