import { fromRandomAccessReaderPromise } from 'yauzl';
import { PackedManifest } from './packed-manifest.js';
import { type OpenRange, RangeReader } from '../../storage/zips/range-reader.js';
import { withPath } from './zip-entries.js';

/**
 * Whether devices find a manifest in a zip that was published, by its directory alone.
 *
 * @throws Error when storage or the zip cannot be read
 */
export async function hasManifest(open: OpenRange, sizeInBytes: number): Promise<boolean> {
  const zip = await fromRandomAccessReaderPromise(new RangeReader(open, sizeInBytes), sizeInBytes, {
    autoClose: false,
    decodeStrings: false,
  });
  const paths: string[] = [];
  for await (const entry of zip.eachEntry()) paths.push(withPath(entry).path);
  return PackedManifest.in(paths) !== null;
}
