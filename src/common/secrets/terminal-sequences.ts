const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;
const CARRIAGE_RETURN = 13;
const BACKSPACE = 8;

/** The escape character, also as the official command-line tool reads it from a log. */
const escape = String.raw`(?:\x1b|\\033|\\x1b)`;
/** What a title, a link or another text for the terminal may hold. */
const content = String.raw`(?:[^\x07\x1b\\]|\\(?!033|x1b)){0,2000}`;

/**
 * Sequences of terminals (ECMA-48): colors; cursors and others that begin with `[`; titles, links and other texts; and
 * those of a few characters. An escape character without any of them counts as one, and so do a backspace and the
 * characters that change the direction of text (U+061C, U+200E, U+200F, U+202A to 202E, U+2066 to 2069): with them, too, a
 * reader sees another text than the bytes are.
 */
const sequence = new RegExp(
  [
    String.raw`${escape}(?:(?<color>\[[\d;:]{0,64}m)`,
    String.raw`\[[0-?]{0,64}[ -/]{0,8}[@-~]?`,
    String.raw`[\]PX^_]${content}(?:\x07|${escape}\\)`,
    String.raw`[ -/]{1,3}[0-~]`,
    String.raw`[0-~])?`,
    String.raw`\x08`,
    String.raw`\xd8\x9c`,
    String.raw`\xe2(?:\x80[\x8e\x8f\xaa-\xae]|\x81[\xa6-\xa9])`,
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

/** 1: the byte may begin a sequence, or is left out; 2: it may begin a character that changes the direction of text. */
const kinds = new Uint8Array(256);
for (const byte of [ESCAPE, BACKSLASH, CARRIAGE_RETURN, BACKSPACE]) kinds[byte] = 1;
for (const byte of [0xe2, 0xd8]) kinds[byte] = 2;
const bidirectional = /^(?:\u061c|[\u200e\u200f\u202a-\u202e\u2066-\u2069])/;

/** Finds the sequences in a text, and leaves them out. */
export function visibleOf(bytes: Buffer): VisibleText {
  if (isPlain(bytes)) return { visible: bytes, offsets: null, sequences: [] };
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

/** Whether nothing in a text can be a sequence. For short lines, one loop is faster than a search for each byte. */
function isPlain(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const kind = kinds[bytes[at] ?? 0];
    if (kind === 0) continue;
    if (kind === 1 || bidirectional.test(bytes.toString('utf8', at, at + 3))) return false;
  }
  return true;
}
