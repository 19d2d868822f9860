import { parseBuffer, setMaxObjectSize } from 'bplist-parser';
import { parse } from 'plist';
import { TooMuchWorkError, WorkBudget } from './work-budget.js';

const TRAILER = 32;
const ARRAY = 0xa;
const DICTIONARY = 0xd;
const INTEGER = 0x1;
const REAL = 0x2;
/** Data, texts in UTF-8 and UTF-16, lists and dictionaries. */
const WITH_LENGTH = [0x4, 0x5, 0x6, ARRAY, DICTIONARY];

/** What Apple's tools write is far flatter. */
const MAX_DEPTH = 100;

/** A dictionary of a property list. Its keys are of the file: ask for own ones only. */
export type PlistDictionary = Readonly<Record<string, unknown>>;

const BINARY = 'bplist00';
/** The files are not larger. */
setMaxObjectSize(1024 * 1024);

/** Far more than a property list of an app has, with 100,000 values. */
const MAX_WORK = 16 * 1024 * 1024;
/** What a value costs, besides its bytes. */
const VALUE_WORK = 160;
/** What a tag costs in XML: a value has two. */
const TAG_WORK = VALUE_WORK / 2;
/** Longest number, in bytes. */
const MAX_NUMBER_BYTES = 16;

/**
 * Reads a property list, in XML or binary. It may be hostile: a few bytes of a binary one can expand to more than any memory
 * holds.
 *
 * @throws Error when it is no dictionary
 * @throws TooMuchWorkError
 */
export function readPlist(file: Buffer): PlistDictionary {
  if (isBinary(file)) requireLittleWork(file);
  const value: unknown = isBinary(file) ? parseBuffer<unknown>(file)[0] : parseXml(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('It is no dictionary.');
  return value as PlistDictionary;
}

/** The library reads a third form, too, and prints what it finds wrong. */
function parseXml(file: Buffer): unknown {
  const text = new TextDecoder(encodingOf(file)).decode(file);
  if (!/^\s*</.test(text)) throw new TypeError('It is no XML.');
  // The library looks for the namespaces of a tag in all tags around it. Property lists have none.
  new WorkBudget(MAX_WORK).spend(countIn(text, '<') * (TAG_WORK + countIn(text, 'xmlns')));
  return parse(text);
}

function countIn(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
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
 * Adds up what the values of a binary property list cost when each is read as often as it is referred to, as the library does.
 *
 * @throws Error when it is damaged, refers to itself, or is nested too deeply
 * @throws TooMuchWorkError
 */
function requireLittleWork(file: Buffer): void {
  const trailer = file.subarray(file.length - TRAILER);
  const [offsetBytes, referenceBytes] = [trailer.readUInt8(6), trailer.readUInt8(7)];
  const top = Number(trailer.readBigUInt64BE(16));
  const table = Number(trailer.readBigUInt64BE(24));
  const costs = new Map<number, number>();
  const open = new Set<number>();
  // Of what was looked at: values that are shared are looked at once. It never is more than they cost.
  const work = new WorkBudget(MAX_WORK);

  const referencesOf = (at: number, kind: number, length: number): number[] => {
    const count = kind === ARRAY ? length : length * 2;
    if (at + count * referenceBytes > file.length) throw new RangeError('It ends too early.');
    work.spend(VALUE_WORK * count + 1);
    return Array.from({ length: count }, (_, position) =>
      file.readUIntBE(at + position * referenceBytes, referenceBytes),
    );
  };
  const ownCostOf = (index: number): readonly [cost: number, references: readonly number[]] => {
    const at = file.readUIntBE(table + index * offsetBytes, offsetBytes);
    const marker = file.readUInt8(at);
    const [kind, info] = [marker >> 4, marker & 0xf];
    if (kind === INTEGER || kind === REAL) {
      // The library takes numbers of any length, in a time that grows with its square.
      if (2 ** info > MAX_NUMBER_BYTES) throw new RangeError('It has too long a number.');
      return [VALUE_WORK, []];
    }
    if (!WITH_LENGTH.includes(kind)) return [VALUE_WORK, []];
    const { length, start } = lengthAt(file, at, info);
    if (kind !== ARRAY && kind !== DICTIONARY) return [VALUE_WORK + Math.min(2 * length, file.length), []];
    return [VALUE_WORK, referencesOf(start, kind, length)];
  };
  const costOf = (index: number): number => {
    const known = costs.get(index);
    if (known !== undefined) return known;
    if (open.has(index) || open.size > MAX_DEPTH) throw new RangeError('It is nested too deeply.');
    open.add(index);
    const [own, references] = ownCostOf(index);
    const cost = references.reduce((sum, reference) => sum + costOf(reference), own);
    open.delete(index);
    costs.set(index, cost);
    return cost;
  };
  if (costOf(top) > MAX_WORK) throw new TooMuchWorkError();
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
