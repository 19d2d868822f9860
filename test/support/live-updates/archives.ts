import { isAscii } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import yazl from 'yazl';

/** Files by their path inside a bundle. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Packs files into a zip; a path with `/` at its end is a folder. @param links where symbolic links lead to, by their paths */
export async function zipOf(files: Files, links: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) zip.addEmptyDirectory(path);
    else zip.addBuffer(Buffer.from(content), path);
  }
  for (const [path, target] of Object.entries(links))
    zip.addBuffer(Buffer.from(target), path, { mode: 0o120777 });
  zip.end();
  return buffer(zip.outputStream);
}

/** The same zip as other programs write it: without the UTF-8 flag of the names that are not in ASCII. */
export function withoutUtf8Flags(zip: Buffer): Buffer {
  const copy = Buffer.from(zip);
  for (const [signature, flagsAt, lengthAt, nameAt] of [
    ['PK\x01\x02', 8, 28, 46],
    ['PK\x03\x04', 6, 26, 30],
  ] as const) {
    for (
      let at = copy.indexOf(signature, 0, 'latin1');
      at >= 0;
      at = copy.indexOf(signature, at + 4, 'latin1')
    ) {
      const name = copy.subarray(at + nameAt, at + nameAt + copy.readUInt16LE(at + lengthAt));
      const flags = copy.readUInt16LE(at + flagsAt);
      if (!isAscii(name)) copy.writeUInt16LE(flags & ~0x800, at + flagsAt);
    }
  }
  return copy;
}

const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/**
 * The files of a zip by their path. Reads what bundles are made of: stored and deflated entries without encryption
 * (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16).
 */
export function unzip(zip: Buffer): ReadonlyMap<string, Buffer> {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error('This is not a zip.');
  const files = new Map<string, Buffer>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const nameEnd = entry + 46 + zip.readUInt16LE(entry + 28);
    const path = zip.toString('utf8', entry + 46, nameEnd);
    const local = zip.readUInt32LE(entry + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
    const isDeflated = zip.readUInt16LE(entry + 10) === DEFLATED;
    if (!path.endsWith('/')) files.set(path, isDeflated ? inflateRawSync(content) : content);
    entry = nameEnd + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return files;
}
