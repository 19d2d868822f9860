import { parseBuffer, setMaxObjectSize } from 'bplist-parser';
import { parse } from 'plist';

const TRAILER = 32;
const ARRAY = 0xa;
const DICTIONARY = 0xd;
const INTEGER = 0x1;

/** What Apple's tools write is far flatter. */
const MAX_DEPTH = 100;

/** A dictionary of a property list. Its keys are of the file: ask for own ones only. */
export type PlistDictionary = Readonly<Record<string, unknown>>;

const BINARY = 'bplist00';
/** The files are not larger. */
setMaxObjectSize(1024 * 1024);

/**
 * Reads a property list, in XML or binary.
 *
 * @throws Error when it is no dictionary
 */
export function readPlist(file: Buffer): PlistDictionary {
  const value: unknown = isBinary(file) ? parseBuffer<unknown>(file)[0] : parseXml(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('It is no dictionary.');
  return value as PlistDictionary;
}

/** Far more than a property list of an app has. */
const MAX_VALUES = 100_000;

/**
 * As `readPlist`, for hostile files that are not read in a separate process: it ends soon.
 *
 * @throws Error also when it expands to too many values
 */
export function readSmallPlist(file: Buffer): PlistDictionary {
  if (isBinary(file) && expandedValues(file) > MAX_VALUES) throw new RangeError('It has too many values.');
  return readPlist(file);
}

/** The library reads a third form, too, and prints what it finds wrong. */
function parseXml(file: Buffer): unknown {
  const text = new TextDecoder(encodingOf(file)).decode(file);
  if (!/^\s*</.test(text)) throw new TypeError('It is no XML.');
  return parse(text);
}

function isBinary(file: Buffer): boolean {
  return file.toString('latin1', 0, BINARY.length) === BINARY;
}

/** By its byte order mark, which decoders leave out. */
function encodingOf(file: Buffer): string {
  const mark = file.toString('hex', 0, 2);
  if (mark === 'feff') return 'utf-16be';
  return mark === 'fffe' ? 'utf-16le' : 'utf-8';
}

/** An own value of a dictionary. */
export function valueOf(dictionary: unknown, key: string): unknown {
  if (typeof dictionary !== 'object' || dictionary === null || !Object.hasOwn(dictionary, key))
    return undefined;
  return (dictionary as PlistDictionary)[key];
}

/**
 * How many values a binary property list has when each is counted as often as it is referred to: a few bytes can expand
 * to more than any memory holds.
 *
 * @throws Error when it is damaged, refers to itself, or is nested too deeply
 */
function expandedValues(file: Buffer): number {
  const trailer = file.subarray(file.length - TRAILER);
  const [offsetBytes, referenceBytes] = [trailer.readUInt8(6), trailer.readUInt8(7)];
  const top = Number(trailer.readBigUInt64BE(16));
  const table = Number(trailer.readBigUInt64BE(24));
  const counts = new Map<number, number>();
  const open = new Set<number>();

  const referencesOf = (index: number): number[] => {
    const at = file.readUIntBE(table + index * offsetBytes, offsetBytes);
    const marker = file.readUInt8(at);
    const kind = marker >> 4;
    if (kind !== ARRAY && kind !== DICTIONARY) return [];
    const { length, start } = lengthAt(file, at, marker & 0xf);
    const count = kind === ARRAY ? length : length * 2;
    if (start + count * referenceBytes > file.length) throw new RangeError('It ends too early.');
    return Array.from({ length: count }, (_, position) =>
      file.readUIntBE(start + position * referenceBytes, referenceBytes),
    );
  };
  const countOf = (index: number): number => {
    const known = counts.get(index);
    if (known !== undefined) return known;
    if (open.has(index) || open.size > MAX_DEPTH) throw new RangeError('It is nested too deeply.');
    open.add(index);
    const count = referencesOf(index).reduce((sum, reference) => sum + countOf(reference), 1);
    open.delete(index);
    counts.set(index, count);
    return count;
  };
  return countOf(top);
}

/** From 15 on, the length is a separate integer. */
function lengthAt(
  file: Buffer,
  at: number,
  info: number,
): { readonly length: number; readonly start: number } {
  if (info < 15) return { length: info, start: at + 1 };
  const marker = file.readUInt8(at + 1);
  const bytes = 2 ** (marker & 0xf);
  if (marker >> 4 !== INTEGER || bytes > 4) throw new RangeError('It has no length.');
  return { length: file.readUIntBE(at + 2, bytes), start: at + 2 + bytes };
}
