import type { Entry } from 'yauzl';

/** Records of a zip without ZIP64 (APPNOTE, 4.3). */
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** The sizes follow the content. They do not here: they are known before. */
const HAS_DATA_DESCRIPTOR = 0x8;

/** Most entries, and most bytes, of a zip without ZIP64. */
export const MAX_ENTRIES = 0xfffe;
export const MAX_BYTES = 0xfffffffe;

/** What stands before the content of an entry, without its extra fields. */
export function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeCommon(header, 4, entry);
  return Buffer.concat([header, entry.fileNameRaw]);
}

/** The entry in the directory at the end. @param offset of its local header */
export function centralHeader(entry: Entry, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(entry.versionMadeBy, 4);
  writeCommon(header, 6, entry);
  header.writeUInt32LE(entry.externalFileAttributes, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, entry.fileNameRaw]);
}

/** What stands last. @param offset of the directory @param length of the directory, in bytes */
export function endRecord(entries: number, offset: number, length: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(END, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(length, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

/** The fields that both headers have in common. @param at where they begin */
function writeCommon(header: Buffer, at: number, entry: Entry): void {
  header.writeUInt16LE(entry.versionNeededToExtract, at);
  header.writeUInt16LE(entry.generalPurposeBitFlag & ~HAS_DATA_DESCRIPTOR, at + 2);
  header.writeUInt16LE(entry.compressionMethod, at + 4);
  header.writeUInt16LE(entry.lastModFileTime, at + 6);
  header.writeUInt16LE(entry.lastModFileDate, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(entry.compressedSize, at + 14);
  header.writeUInt32LE(entry.uncompressedSize, at + 18);
  header.writeUInt16LE(entry.fileNameRaw.length, at + 22);
}
