import { MANIFEST_HREF as MANIFEST } from '../../../src/live-updates/bundle-content/href.js';

/** An entry of the manifest. */
export interface ManifestItem {
  readonly checksum: string;
  readonly href: string;
  readonly sizeInBytes: number;
}

/** The files of a bundle on a device, by path. */
export type BundleFolder = ReadonlyMap<string, Buffer>;

/**
 * What a device keeps of a bundle: the folder of the `index.html` that it finds first is the root of the app.
 *
 * @returns `null`: there is no `index.html`
 */
export function rootOf(folder: BundleFolder): BundleFolder | null {
  const roots = [...folder.keys()]
    .filter((path) => path.split('/').at(-1) === 'index.html')
    .map((path) => path.slice(0, -'index.html'.length));
  if (roots.includes('')) return folder;
  const [root] = roots.sort();
  if (root === undefined) return null;
  const inside = [...folder].filter(([path]) => path.startsWith(root));
  return new Map(inside.map(([path, bytes]) => [path.slice(root.length), bytes]));
}

/** What a plugin does with a file that it should copy and does not have. */
export type Absent = 'download' | 'skip' | 'fail';

/**
 * Builds the folder of a bundle as the plugins do: a file whose checksum occurs anywhere in the manifest on the device is
 * copied from the same path of the folder on the device, unverified. The others are downloaded.
 */
export async function buildFolder(
  running: BundleFolder,
  manifest: Buffer,
  decode: (manifest: Buffer) => readonly ManifestItem[],
  absent: Absent,
  download: (href: string) => Promise<Buffer>,
): Promise<BundleFolder> {
  const current = running.get(MANIFEST);
  const known = new Set((current ? decode(current) : []).map(({ checksum }) => checksum));
  const folder = new Map([[MANIFEST, manifest]]);
  const missing: string[] = [];
  for (const { checksum, href } of decode(manifest)) {
    const copy = running.get(href);
    if (!known.has(checksum)) missing.push(href);
    else if (copy !== undefined) folder.set(href, copy);
    else if (absent === 'download') missing.push(href);
    else if (absent === 'fail') throw new Error(`${href} cannot be copied.`);
  }
  await Promise.all(missing.map(async (href) => folder.set(href, await download(href))));
  return folder;
}
