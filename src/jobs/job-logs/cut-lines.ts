import { cleanLines } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';

/** Longer lines become several. In bytes, after masking. */
export const MAX_LINE = 16_384;
/** Bytes of a character in UTF-8 that follow its first one. */
const MAX_CONTINUATION = 3;

const CARRIAGE_RETURN = 13;

/** The lines of some bytes. */
export interface CutLines {
  /** Masked, valid, without line ends. */
  readonly lines: string[];
  /** Bytes that are no line yet: they come before the next ones. Not masked. */
  readonly rest: Buffer;
}

/**
 * Cuts bytes into lines, masks secrets, leaves only colors of the sequences of terminals, and makes valid text of what is
 * none. However the bytes of a log are split into calls, the lines are the same.
 *
 * @param bytes the rest of the call before, and what follows
 * @param isEnd whether nothing follows: then there is no rest
 */
export function cutLines(bytes: Buffer, masker: SecretMasker, isEnd: boolean): CutLines {
  const { lines, rest } = cleanLines(bytes, masker, isEnd);
  return {
    lines: lines.flatMap((line) => piecesOf(line.endsLine ? withoutReturn(line.bytes) : line.bytes)),
    rest,
  };
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** Cuts a line between characters, unless there are only bytes that continue one. */
function piecesOf(line: Buffer): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > MAX_LINE) {
    let end = start + MAX_LINE;
    while (end < start + MAX_LINE + MAX_CONTINUATION && ((line[end] ?? 0) & 0xc0) === 0x80) end++;
    pieces.push(textOf(line.subarray(start, end)));
    start = end;
  }
  return start < line.length || start === 0 ? [...pieces, textOf(line.subarray(start))] : pieces;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/**
 * Control characters but tab, backspace, carriage return and escape, which terminals use. PostgreSQL refuses NUL, and some
 * terminals read those from 80 on as sequences.
 */
// oxlint-disable-next-line no-control-regex -- that is the point
const noise = /[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g;

function textOf(bytes: Buffer): string {
  return decoder.decode(bytes).replaceAll(noise, '\uFFFD');
}
