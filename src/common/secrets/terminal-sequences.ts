const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;
const CARRIAGE_RETURN = 13;

/** The escape character, also as the official command-line tool reads it from a log. */
const escape = String.raw`(?:\x1b|\\033|\\x1b)`;
/** What a title, a link or another text for the terminal may hold. */
const content = String.raw`(?:[^\x07\x1b\\]|\\(?!033|x1b)){0,2000}`;

/**
 * Sequences of terminals (ECMA-48): colors; cursors and others that begin with `[`; titles, links and other texts; and
 * those of a few characters. An escape character without any of them counts as one.
 */
const sequence = new RegExp(
  [
    String.raw`${escape}(?:(?<color>\[[\d;:]{0,64}m)`,
    String.raw`\[[0-?]{0,64}[ -/]{0,8}[@-~]?`,
    String.raw`[\]PX^_]${content}(?:\x07|${escape}\\)`,
    String.raw`[ -/]{1,3}[0-~]`,
    String.raw`[0-~])?`,
  ].join('|'),
  'g',
);

/** A sequence in the bytes of a log. */
export interface Sequence {
  readonly start: number;
  readonly end: number;
  /** Whether it only sets colors and the like (SGR). */
  readonly isColor: boolean;
}

/** What a reader sees of some bytes. */
export interface VisibleText {
  /** Without sequences and carriage returns. */
  readonly visible: Buffer;
  /** Where each byte of it is; `null`: all is visible. */
  readonly offsets: Uint32Array | null;
  readonly sequences: readonly Sequence[];
}

/** Finds the sequences in a text, and leaves them out. */
export function visibleOf(bytes: Buffer): VisibleText {
  const isPlain = [ESCAPE, BACKSLASH, CARRIAGE_RETURN].every((byte) => !bytes.includes(byte));
  if (isPlain) return { visible: bytes, offsets: null, sequences: [] };
  const sequences = Array.from(bytes.toString('latin1').matchAll(sequence), ({ index, 0: text, groups }) => ({
    start: index,
    end: index + text.length,
    isColor: groups?.['color'] !== undefined,
  }));
  const visible = Buffer.allocUnsafe(bytes.length);
  const offsets = new Uint32Array(bytes.length);
  let length = 0;
  let position = 0;
  for (const { start, end } of [...sequences, { start: bytes.length, end: bytes.length }]) {
    for (; position < start; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === CARRIAGE_RETURN) continue;
      offsets[length] = position;
      visible[length++] = byte;
    }
    position = end;
  }
  return { visible: visible.subarray(0, length), offsets, sequences };
}
