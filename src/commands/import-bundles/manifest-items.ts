import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid } from '../../common/validation/uuid.js';
import { type ImportItem, readLines, toAddress } from './items.js';

/** How files with a manifest end: before that is the id of the bundle. */
const MANIFEST_SUFFIX = '.manifest.json';

/** A bundle of another server that devices run, whose manifest is to be imported. */
export interface ManifestItem {
  /** What it is called in messages. */
  readonly name: string;
  /** The id under which devices know it, lower case. */
  readonly bundleId: string;
  /** Path or `http(s)` address of the manifest, or of the zip that may have one. */
  readonly location: string;
}

/**
 * Finds manifests that are to be imported: of bundles that have a `bundleId`, and manifests alone.
 *
 * @param source a folder, with files `<bundleId>.manifest.json`; or a list, with lines
 *   `{ "bundleId": "…", "manifest": "https://…" }`
 * @param bundles what else is in it
 * @throws Error with a sentence for people
 */
export async function readManifestItems(
  source: string,
  bundles: readonly ImportItem[],
): Promise<ManifestItem[]> {
  const isFolder = (await stat(source)).isDirectory();
  const ofBundles = bundles.flatMap(({ name, location, values: { bundleId } }) =>
    bundleId === undefined ? [] : [{ name, location, bundleId: toBundleId(bundleId, name) }],
  );
  return [...(await (isFolder ? inFolder(source) : inList(source))), ...ofBundles];
}

async function inFolder(folder: string): Promise<ManifestItem[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(MANIFEST_SUFFIX)).sort();
  return names.map((name) => ({
    name,
    bundleId: toBundleId(name.slice(0, -MANIFEST_SUFFIX.length), name),
    location: join(folder, name),
  }));
}

async function inList(file: string): Promise<ManifestItem[]> {
  const lines = await readLines(file);
  return lines
    .filter(({ fields }) => 'manifest' in fields)
    .map(({ place, fields: { manifest, bundleId } }) => {
      const location = toAddress(manifest, place);
      return { name: location, location, bundleId: toBundleId(bundleId, place) };
    });
}

/** Devices report other ids, too, but Slipway takes them all for one unknown bundle. */
function toBundleId(value: unknown, place: string): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw new Error(`${place}: the id of the bundle must be a UUID.`);
}
