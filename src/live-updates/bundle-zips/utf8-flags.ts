import { isAscii } from 'node:buffer';
import type { Entry, LocalFileHeader } from 'yauzl';
import { hasUtf8Flag, type ZipName, UTF8_FLAG } from '../../common/archives/zip-name.js';

/** Where the flags are in an entry of the directory, and in a local header (APPNOTE, 4.3.7 and 4.3.12). */
const FLAGS_OF_ENTRY = 8;
const FLAGS_OF_HEADER = 6;
/** The UTF-8 flag in the second byte of the flags. */
const UTF8_BIT = UTF8_FLAG >>> 8;

/** An entry of which a header lacks the UTF-8 flag, although its name is in UTF-8 and not in ASCII. */
export interface UnflaggedEntry {
  readonly path: string;
  /** Positions in the zip of the bytes that hold the flag and lack it. */
  readonly positions: readonly number[];
}

/**
 * The missing UTF-8 flags of an entry.
 *
 * @param position where its entry in the directory begins
 * @returns `null`: none is missing
 */
export function findMissingFlags(
  { path, encoding }: ZipName,
  position: number,
  entry: Entry,
  header: LocalFileHeader,
): UnflaggedEntry | null {
  const needsFlag = encoding === 'utf-8' || (encoding === 'flag' && !isAscii(entry.fileNameRaw));
  if (!needsFlag) return null;
  const positions = [
    ...(hasUtf8Flag(header) ? [] : [entry.relativeOffsetOfLocalHeader + FLAGS_OF_HEADER + 1]),
    ...(hasUtf8Flag(entry) ? [] : [position + FLAGS_OF_ENTRY + 1]),
  ];
  return positions.length === 0 ? null : { path, positions };
}

/** Passes a zip on with the missing UTF-8 flags, and changes nothing else: the same zip always becomes the same bytes. */
export async function* withFlags(
  zip: AsyncIterable<Buffer>,
  entries: readonly UnflaggedEntry[],
): AsyncGenerator<Buffer> {
  const positions = entries.flatMap((entry) => entry.positions).toSorted((a, b) => a - b);
  let start = 0;
  let next = 0;
  for await (const chunk of zip) {
    const end = start + chunk.length;
    const copy = (positions[next] ?? end) < end ? Buffer.from(chunk) : chunk;
    for (let at = positions[next]; at !== undefined && at < end; at = positions[++next]) {
      copy.writeUInt8(copy.readUInt8(at - start) | UTF8_BIT, at - start);
    }
    yield copy;
    start = end;
  }
}
