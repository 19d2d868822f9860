import { parseBuffer, setMaxObjectSize } from 'bplist-parser';
import { parse } from 'plist';
import { expandedValues } from './expanded-values.js';

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
 * As `readPlist`, for hostile files that are not read in a process of their own: it ends soon.
 *
 * @throws Error also when it stands for too many values
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
