import type { Entry } from 'yauzl';
import { TooMuchWorkError } from '../work-budget.js';
import type { ZipName } from './zip-name.js';

const STORED = 0;
const DEFLATED = 8;
/** Flags of an encrypted entry: traditional, strong, and with a hidden header (APPNOTE, 4.4.4). */
const ENCRYPTED = 0x1 | 0x40 | 0x2000;
/** Names of compression methods (APPNOTE, 4.4.5). */
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
  99: 'AES encryption',
};
/** What follows the path of an entry in a sentence. */
export const HAS_BACKSLASH =
  'has a backslash: it was packed on Windows by an old program; pack again with 7-Zip or PowerShell 7';
/** Longest path in a message, in characters. */
const SHOWN = 200;

/**
 * What is wrong with the name of an entry, and what to do.
 *
 * @param isInside whether a path is one inside the zip
 * @returns a sentence without a full stop; `null`: nothing
 */
export function findNameProblem(
  { path, plain, field, encoding }: ZipName,
  isInside: (path: string) => boolean,
): string | null {
  if (encoding === 'invalid') {
    return `${shownPath(path)} has the UTF-8 flag, but its name is not UTF-8: pack again with a program that writes names in UTF-8`;
  }
  // Some programs use the name, and others the extra field.
  const names = [path, plain, ...(field === null ? [] : [field])];
  if (names.some((name) => !isInside(name.replaceAll('\\', '/')))) {
    return `${shownPath(path)} is not a path inside the zip`;
  }
  if (names.some((name) => name.includes('\\'))) return `${shownPath(path)} ${HAS_BACKSLASH}`;
  if (encoding === 'flag' && field !== null && field !== path) {
    return `${shownPath(path)} is ${shownPath(field)} in its extra field: pack again, with one name for each entry`;
  }
  return null;
}

/**
 * Why the content of an entry cannot be read, and what to do.
 *
 * @returns what follows the path in a sentence, without a full stop; `null`: it can be read
 */
export function findContentProblem({
  compressionMethod,
  generalPurposeBitFlag,
}: Pick<Entry, 'compressionMethod' | 'generalPurposeBitFlag'>): string | null {
  if ((generalPurposeBitFlag & ENCRYPTED) !== 0) return 'is encrypted: pack again without a password';
  if ([STORED, DEFLATED].includes(compressionMethod)) return null;
  const name = METHODS[compressionMethod] ?? 'an unknown program';
  return `is packed with ${name} (method ${compressionMethod}): pack again with deflate`;
}

/** Why a zip, or the list of its entries, cannot be read: without a full stop. */
export function describeUnreadable(error: unknown): string {
  if (error instanceof TooMuchWorkError) return error.message;
  const message = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown error';
  if (message === 'strong encryption is not supported') {
    return 'an entry is encrypted (strong encryption): pack again without a password';
  }
  return `it cannot be read as a zip: ${message}`;
}

/** A path for a message: in quotation marks, shortened, without control characters. */
export function shownPath(path: string): string {
  const short = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  return JSON.stringify(short).replaceAll('\\\\', '\\');
}
