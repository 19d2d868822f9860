import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel } from 'yauzl';

/** The general purpose bit 11: the name is in UTF-8 (APPNOTE, 4.4.4). */
export const UTF8_FLAG = 0x800;
/** The Info-ZIP Unicode Path extra field (APPNOTE, 4.6.9), and the only version of it. */
const UNICODE_PATH = 0x7075;
const UNICODE_PATH_VERSION = 1;

/** The upper half of the code page. */
const CP437 = getFileNameLowLevel(0, Buffer.from(Array.from({ length: 128 }, (_, i) => 128 + i)), [], true);

/** An entry, or its local header, as far as its name is concerned. */
export type NamedEntry = Pick<Entry, 'generalPurposeBitFlag' | 'fileNameRaw' | 'extraFields'>;

/**
 * What says how the bytes of a name are encoded: the UTF-8 flag, an extra field, that they are ASCII or valid UTF-8, or
 * nothing, and they are read as CP437. `invalid`: they have the flag and are not UTF-8.
 */
export type ZipNameEncoding = 'flag' | 'field' | 'ascii' | 'utf-8' | 'cp437' | 'invalid';

/** The name of an entry of a zip. */
export interface ZipName {
  /** With `/` at the end for a folder; with `�` where it is `invalid`. */
  readonly path: string;
  /** What programs read that do not know the extra field. */
  readonly plain: string;
  /** What the extra field says; `null`: the entry has none that fits its name. */
  readonly field: string | null;
  readonly encoding: ZipNameEncoding;
}

/** Whether an entry, or its local header, says that its name is in UTF-8. */
export function hasUtf8Flag({ generalPurposeBitFlag }: Pick<NamedEntry, 'generalPurposeBitFlag'>): boolean {
  return (generalPurposeBitFlag & UTF8_FLAG) !== 0;
}

/** Reads the name of an entry. Every part of Slipway reads names by this function. */
export function readZipName(entry: NamedEntry): ZipName {
  const { fileNameRaw: raw } = entry;
  const field = readUnicodePath(entry);
  const hasFlag = hasUtf8Flag(entry);
  const plain = hasFlag || isUtf8(raw) ? raw.toString() : decodeCp437(raw);
  if (hasFlag) return { path: plain, plain, field, encoding: isUtf8(raw) ? 'flag' : 'invalid' };
  if (field !== null) return { path: field, plain, field, encoding: 'field' };
  const encoding = isAscii(raw) ? 'ascii' : isUtf8(raw) ? 'utf-8' : 'cp437';
  return { path: plain, plain, field, encoding };
}

/** The first Unicode Path whose checksum is that of the name. */
function readUnicodePath({ fileNameRaw, extraFields }: NamedEntry): string | null {
  const fields = extraFields.filter(
    ({ id, data }) => id === UNICODE_PATH && data.length >= 6 && data[0] === UNICODE_PATH_VERSION,
  );
  if (fields.length === 0) return null;
  // Once, because an entry can have thousands of fields, and a name of 64 KiB.
  const checksum = crc32(fileNameRaw);
  const found = fields.find(({ data }) => data.readUInt32LE(1) === checksum && isUtf8(data.subarray(5)));
  return found?.data.toString('utf8', 5) ?? null;
}

/** Bytes below 128 stay what they are, control characters too. */
function decodeCp437(raw: Buffer): string {
  return Array.from(raw, (byte) => (byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128])).join('');
}
