import { MASK, type SecretMasker } from '../../common/secrets/secret-masker.js';

/** Longer lines become several. In bytes, after masking. */
export const MAX_LINE = 16_384;
/** As long a line may be before masking, which can shorten it. In bytes. */
const MAX_RAW_LINE = 65_536;
/** Bytes of a character in UTF-8 that follow its first one. */
const MAX_CONTINUATION = 3;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The lines of some bytes. */
export interface CutLines {
  /** Masked, valid, without line ends. */
  readonly lines: string[];
  /** Bytes that are no line yet: they come before the next ones. Not masked. */
  readonly rest: Buffer;
}

/**
 * Cuts bytes into lines, masks secrets, and makes valid text of what is none. However the bytes of a log are split into
 * calls, the lines are the same.
 *
 * @param bytes the rest of the call before, and what follows
 * @param isEnd whether nothing follows: then there is no rest
 */
export function cutLines(bytes: Buffer, masker: SecretMasker, isEnd: boolean): CutLines {
  const lines: string[] = [];
  const line = Buffer.allocUnsafe(MAX_LINE + MAX_CONTINUATION + MASK.length);
  let length = 0;
  let start = 0;
  let position = 0;
  let end = endOfLine(bytes, 0);
  const emit = (next: number): void => {
    lines.push(textOf(line.subarray(0, length)));
    length = 0;
    start = position = next;
  };
  while (position < bytes.length) {
    if (position === end) {
      if (length > 0 && line[length - 1] === CARRIAGE_RETURN) length--;
      emit(end + 1);
      end = endOfLine(bytes, position);
      continue;
    }
    const isOpen = end === bytes.length && !isEnd;
    // A secret, or the rest of a character, may be on its way.
    if (isOpen && bytes.length - position <= masker.lookahead) break;
    if (isTooLong(length, position - start, bytes[position] ?? 0)) {
      emit(position);
      continue;
    }
    const masked = masker.matchAt(bytes, position, end);
    if (masked > 0) {
      length += line.write(MASK, length, 'latin1');
      position += masked;
    } else {
      line[length++] = bytes[position++] ?? 0;
    }
  }
  if (isEnd && length > 0) emit(bytes.length);
  return { lines, rest: bytes.subarray(start) };
}

function endOfLine(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(LINE_FEED, from);
  return found === -1 ? bytes.length : found;
}

/** Whether the line ends before the next byte: not within a character, unless there are only such bytes. */
function isTooLong(length: number, rawLength: number, next: number): boolean {
  if (length < MAX_LINE && rawLength < MAX_RAW_LINE) return false;
  const continues = (next & 0xc0) === 0x80;
  return !continues || length >= MAX_LINE + MAX_CONTINUATION || rawLength >= MAX_RAW_LINE + MAX_CONTINUATION;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Control characters but tab, backspace, carriage return and escape, which terminals use. PostgreSQL refuses NUL. */
// oxlint-disable-next-line no-control-regex -- that is the point
const noise = /[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;

function textOf(bytes: Buffer): string {
  return decoder.decode(bytes).replaceAll(noise, '\uFFFD');
}
