import { AppError } from '../../common/errors/app-error.js';
import { refusal } from '../bundle-content/bundle-errors.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { decodeManifest, type ManifestItem, MAX_MANIFEST_BYTES, parseManifest } from './manifest.js';
import { rootFolders } from './root-folders.js';

/**
 * What devices that run a manifest bundle compare the next one with, if it is not the manifest of the bundle. They take the
 * folder of the `index.html` as the root of the app, and drop what is above: a manifest in that folder counts then, or none.
 * Like one in a zip, it must describe the files of its folder, from which the next bundle is built unverified.
 *
 * @param items the manifest of the bundle
 * @param read reads a file that it lists
 * @returns `null`: the manifest of the bundle itself; empty: none
 * @throws InvalidRequestError when it describes other files, or there are several folders that devices may take
 */
export async function findCarriedManifest(
  items: readonly ManifestItem[],
  read: (href: string) => Promise<Uint8Array>,
): Promise<readonly ManifestItem[] | null> {
  const folders = rootFolders(items.map(({ href }) => href));
  if (folders[0] === '') return null;
  const byHref = new Map(items.map((item) => [item.href, item]));
  const folder = folders.find((each) => byHref.has(each + MANIFEST_HREF));
  if (folder === undefined) return [];
  const href = folder + MANIFEST_HREF;
  const [first, second] = folders;
  if (second !== undefined) {
    throw invalid(href, [
      `it is undefined whether devices start with ${first}index.html or ${second}index.html`,
    ]);
  }
  if ((byHref.get(href)?.sizeInBytes ?? 0) > MAX_MANIFEST_BYTES) {
    throw invalid(href, [`it is larger than ${MAX_MANIFEST_BYTES} bytes`]);
  }
  const carried = parse(href, await read(href));
  const wrong = carried.filter((item) => {
    const file = byHref.get(folder + item.href);
    return file?.checksum !== item.checksum || file.sizeInBytes !== item.sizeInBytes;
  });
  if (wrong.length > 0) {
    throw invalid(
      href,
      wrong.map((item) => `${folder}${item.href} is not the file that it lists`),
    );
  }
  return carried;
}

/** @throws InvalidRequestError that names the file */
function parse(href: string, bytes: Uint8Array): ManifestItem[] {
  try {
    return parseManifest(decodeManifest(bytes));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid(href, [error.message.replace(/\.$/, '')]);
  }
}

function invalid(href: string, problems: readonly string[]): Error {
  return refusal(
    `Devices would compare the next bundle with ${href}, beside the index.html`,
    'invalid_manifest',
    'manifest',
    problems,
  );
}
