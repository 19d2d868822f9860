import { fromRandomAccessReaderPromise } from 'yauzl';
import { describeUnreadable } from '../../common/archives/entry-problems.js';
import { readArchive } from '../../common/archives/read-archive.js';
import { type OpenRange, RangeReader } from '../../storage/zips/range-reader.js';

/**
 * Checks the directory of a zip with a project: see `readArchive`. Reads no content but that of links.
 *
 * @returns the first problem, without a full stop; `null`: none
 * @throws the error of the storage when it cannot be read
 */
export async function inspectSource(open: OpenRange, sizeInBytes: number): Promise<string | null> {
  const reader = new RangeReader(open, sizeInBytes);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, sizeInBytes, {
      autoClose: false,
      decodeStrings: false,
    });
    const archive = await readArchive(zip);
    return 'problem' in archive ? archive.problem : null;
  } catch (error) {
    if (reader.failure !== null) throw reader.failure;
    return describeUnreadable(error);
  }
}
