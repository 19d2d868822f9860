import { MASK, type SecretMasker } from './secret-masker.js';
import { type Sequence, visibleOf } from './terminal-sequences.js';

/** Longer lines are cut. In bytes. */
const MAX_RAW_LINE = 65_536;
/** So much of a longer line must have arrived before its first piece is cut: secrets end behind the cut. In bytes. */
export const MAX_OPEN_LINE = 2 * MAX_RAW_LINE;

const LINE_FEED = 10;
const mask = Buffer.from(MASK);
/** Keeps apart what must not become one: a replacement character. */
const SEPARATOR = Buffer.from('\uFFFD');
/** The beginning of an escape character that is spelled, or of a character in UTF-8. */
const unfinished = /\\(?:0|03|x|x1)?$/;

/** A line, or a piece of one that is longer than 64 KiB. */
export interface CleanLine {
  /** Without the line feed. */
  readonly bytes: Buffer;
  readonly endsLine: boolean;
}

/** What `cleanLines` found. */
export interface CleanLines {
  readonly lines: CleanLine[];
  /** Bytes that are no line yet: they come before the next ones. Not masked. At most `MAX_OPEN_LINE`. */
  readonly rest: Buffer;
}

/**
 * Cuts the bytes of a log into lines without secrets, and without sequences of terminals but colors. Secrets are searched in
 * what a reader sees, and are cut with the sequences in them. However the bytes are split into calls, the lines are the same.
 *
 * @param bytes the rest of the call before, and what follows
 * @param isEnd whether nothing follows: then there is no rest
 */
export function cleanLines(bytes: Buffer, masker: SecretMasker, isEnd: boolean): CleanLines {
  const lines: CleanLine[] = [];
  let start = 0;
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    const isOpen = lineFeed === -1 && !isEnd;
    const isLong = end - start > MAX_RAW_LINE;
    if (isOpen && (!isLong || end - start < MAX_OPEN_LINE)) break;
    const window = bytes.subarray(start, Math.min(end, start + MAX_OPEN_LINE));
    const { clean, length } = cleanText(window, masker, isLong ? MAX_RAW_LINE : window.length);
    const endsLine = lineFeed !== -1 && start + length === end;
    lines.push({ bytes: clean, endsLine });
    start += length + (endsLine ? 1 : 0);
  }
  return { lines, rest: bytes.subarray(start) };
}

/** A short text without secrets, and without sequences of terminals but colors. */
export function cleanShortText(text: string, masker: SecretMasker): string {
  const bytes = Buffer.from(text);
  return cleanText(bytes, masker, bytes.length).clean.toString();
}

/**
 * Cleans the beginning of a text.
 *
 * @param limit where to stop, but not within a secret, a sequence or a character
 * @returns what is left of it, and how many bytes it was
 */
function cleanText(bytes: Buffer, masker: SecretMasker, limit: number): { clean: Buffer; length: number } {
  const { visible, offsets, sequences } = visibleOf(bytes);
  const rawOf = (index: number): number => (offsets === null ? index : (offsets[index] ?? bytes.length));
  const end = endOf(bytes, sequences, limit);
  const to = offsets === null ? end : indexOf(offsets.subarray(0, visible.length), end);
  const out = new CleanText(bytes, sequences);
  for (let from = 0; ;) {
    const secret = masker.find(visible, from, to);
    if (secret === null) break;
    out.mask(rawOf(secret.start), rawOf(secret.end - 1) + 1);
    from = secret.end;
  }
  return { clean: out.end(end), length: out.position };
}

/** The first of the offsets, which grow, that is not below a place. */
function indexOf(offsets: Uint32Array, place: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place from the limit on that is between characters, and not before a sequence. */
function endOf(bytes: Buffer, sequences: readonly Sequence[], limit: number): number {
  let end = limit;
  for (const sequence of sequences) {
    if (sequence.start <= end && sequence.end > end) end = sequence.end;
  }
  for (let count = 0; count < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80; count++) end++;
  return Math.min(end, bytes.length);
}

/** Collects the text that is left. */
class CleanText {
  private readonly parts: Buffer[] = [];
  /** Where the text continues, in the bytes. */
  position = 0;
  private next = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly sequences: readonly Sequence[],
  ) {}

  /** Copies the text up to a secret, and cuts the secret with all sequences in it. */
  mask(start: number, end: number): void {
    this.copyTo(start);
    this.parts.push(mask);
    this.position = end;
    while ((this.sequences[this.next]?.start ?? Infinity) < end) this.next++;
  }

  /** Copies the rest. */
  end(end: number): Buffer {
    this.copyTo(end);
    return Buffer.concat(this.parts);
  }

  private copyTo(end: number): void {
    for (;;) {
      const sequence = this.sequences[this.next];
      if (sequence === undefined || sequence.start >= end) break;
      this.next++;
      if (sequence.isColor) continue;
      this.copy(sequence.start);
      this.position = sequence.end;
      if (this.joins()) this.parts.push(SEPARATOR);
    }
    this.copy(end);
  }

  private copy(end: number): void {
    if (end <= this.position) return;
    this.parts.push(this.bytes.subarray(this.position, end));
    this.position = end;
  }

  /** Whether a dropped sequence stood within what would be another one, or a character, without it. */
  private joins(): boolean {
    if (((this.bytes[this.position] ?? 0) & 0xc0) === 0x80) return true;
    const last = this.parts.at(-1);
    return last !== undefined && unfinished.test(last.toString('latin1', Math.max(0, last.length - 3)));
  }
}
