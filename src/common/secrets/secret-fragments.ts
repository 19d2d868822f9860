import { base64FormsOf, FORMS_AT_ONCE, hexFormsOf, jsonFormsOf, uriFormsOf } from './secret-forms.js';
import { isRandom } from './secret-parts.js';

/** Shorter parts of a form may be found anywhere. In bytes. */
const MIN_FRAGMENT = 12;
/** What is looked up, in bytes. A fragment has at least five of them, one behind the other. */
const GRAM = 8;
const GRAMS = MIN_FRAGMENT - GRAM + 1;
/** Bits of a filter for each of its grams: one in 70 others is found, so five in a row are found once in 10^9. */
const BITS = 16;
const MIN_BITS_LOG = 16;
/** 4 MiB. With as many secrets as an environment can have, fragments are found once in 10^6. */
const MAX_BITS_LOG = 25;

/** A part of a secret, by its bytes in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds parts of secrets that were cut anywhere: of keys and tokens, also in hexadecimal, addresses and JSON, and of every
 * secret in Base64, which is wrapped in lines and begins within other texts. It is a Bloom filter, which takes about two bytes
 * of memory for each byte of a form, and misses only what repeats one to four bytes.
 */
export class SecretFragments {
  private readonly bits: Uint32Array;
  private readonly shift: number;

  private constructor(grams: number) {
    const log = Math.min(MAX_BITS_LOG, Math.max(MIN_BITS_LOG, Math.round(Math.log2(grams * BITS + 1))));
    this.bits = new Uint32Array(2 ** (log - 5));
    this.shift = 32 - log;
  }

  /** Pauses after each small part of the work. */
  static *of(secrets: readonly string[]): Generator<undefined, SecretFragments> {
    const texts: Buffer[] = [];
    for (const secret of secrets) {
      for (const form of formsOf(secret)) texts.push(Buffer.from(form));
      yield;
    }
    const fragments = new SecretFragments(texts.reduce((sum, { length }) => sum + length, 0));
    for (const text of texts) {
      for (let at = 0; at + GRAM <= text.length; at++) {
        fragments.add(text, at);
        if (at % FORMS_AT_ONCE === 0) yield;
      }
    }
    return fragments;
  }

  get sizeInBytes(): number {
    return this.bits.byteLength;
  }

  /**
   * The fragment that begins at a position or at most four bytes behind it. Called with every fifth position, it finds all:
   * only one gram is looked up where there is none.
   */
  near(bytes: Buffer, position: number): Span | null {
    const middle = position + GRAMS - 1;
    if (middle + GRAM > bytes.length || !this.has(bytes, middle)) return null;
    let start = middle;
    while (start > position && this.has(bytes, start - 1)) start--;
    let last = middle;
    while (last + 1 + GRAM <= bytes.length && this.has(bytes, last + 1)) last++;
    return last - start + 1 < GRAMS ? null : { start, end: last + GRAM };
  }

  private add(bytes: Buffer, at: number): void {
    const hash = hashOf(bytes, at);
    this.set(hash >>> this.shift);
    this.set(secondOf(hash) >>> this.shift);
  }

  private set(bit: number): void {
    this.bits[bit >>> 5]! |= 1 << (bit & 31);
  }

  private has(bytes: Buffer, at: number): boolean {
    const hash = hashOf(bytes, at);
    if (!this.isSet(hash >>> this.shift) || !this.isSet(secondOf(hash) >>> this.shift)) return false;
    // Lines, blanks and bars, which repeat one to four bytes, have one gram: it alone would decide about all of them.
    const word = wordAt(bytes, at);
    return word !== wordAt(bytes, at + 4) && word !== wordAt(bytes, at + 3);
  }

  private isSet(bit: number): boolean {
    return ((this.bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** How often fragments have to be looked for. */
export const FRAGMENT_STEP = GRAMS;

function formsOf(secret: string): Iterable<string> {
  const joined = secret.replaceAll(/\s/g, '');
  return new Set([
    ...base64FormsOf(secret, true),
    ...(isRandom(joined)
      ? [joined, ...hexFormsOf(joined), ...uriFormsOf(joined), ...jsonFormsOf(joined)]
      : []),
  ]);
}

/** Four bytes as one number. */
export function wordAt(bytes: Buffer, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}

/** Multiplies as MurmurHash3 does, whose constants these are. */
function hashOf(bytes: Buffer, at: number): number {
  let hash = Math.imul(wordAt(bytes, at), 0xcc9e2d51);
  hash = Math.imul(hash ^ (hash >>> 15) ^ wordAt(bytes, at + 4), 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return hash ^ (hash >>> 16);
}

function secondOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
}
