import { setImmediate as nextRound } from 'node:timers/promises';
import { FORMS_AT_ONCE, MIN_MASKED, sortedForms } from './secret-forms.js';
import { FRAGMENT_STEP, SecretFragments, type Span, wordAt } from './secret-fragments.js';
import { partsOf } from './secret-parts.js';

/** What replaces a secret in a log. */
export const MASK = '***';
/** How long a masker is built before others have their turn, in milliseconds. */
const SLICE = 5;

/** What is searched. */
interface Tables {
  /** All forms to find, in order, one behind the other. */
  readonly forms: Buffer;
  /** Where each form begins in `forms`; then the end of the last one. */
  readonly starts: Uint32Array;
  /** The longest other form that each form begins with; -1: there is none. */
  readonly parents: Int32Array;
  /** A bit for each pair of bytes that a form begins with. */
  readonly beginnings: Uint8Array;
  /** A bit for the hash of the first four bytes of each form, with which few others begin. */
  readonly hashes: Uint8Array;
  /** Length of the longest form. */
  readonly longest: number;
  readonly fragments: SecretFragments;
}

/**
 * Finds secrets in the bytes of a log: each line of them and of their parts as it is, and as it looks in Base64 (also within a
 * longer text, and wrapped), in hexadecimal, in a URL, in HTML and in JSON. Its time for a byte grows with the logarithm of the
 * number of forms, also when many begin alike: users choose the secrets and the log.
 */
export class SecretMasker {
  private readonly forms: Buffer;
  private readonly starts: Uint32Array;
  private readonly parents: Int32Array;
  private readonly beginnings: Uint8Array;
  private readonly hashes: Uint8Array;
  private readonly fragments: SecretFragments;
  /** Bytes that must follow a position to decide whether a secret begins there. */
  private readonly lookahead: number;

  private constructor({ forms, starts, parents, beginnings, hashes, longest, fragments }: Tables) {
    this.forms = forms;
    this.starts = starts;
    this.parents = parents;
    this.beginnings = beginnings;
    this.hashes = hashes;
    this.lookahead = longest;
    this.fragments = fragments;
  }

  /** Builds a masker synchronously, which takes long for thousands of lines: servers use `build`. */
  static of(secrets: readonly string[]): SecretMasker {
    const steps = tablesOf(secrets);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return new SecretMasker(value);
    }
  }

  /** Builds a masker in slices of a few milliseconds, between which the process does other work. */
  static async build(secrets: readonly string[]): Promise<SecretMasker> {
    const steps = tablesOf(secrets);
    for (let end = performance.now() + SLICE; ;) {
      const { done, value } = steps.next();
      if (done === true) return new SecretMasker(value);
      if (performance.now() < end) continue;
      await nextRound();
      end = performance.now() + SLICE;
    }
  }

  /** About how much memory it takes, in bytes. */
  get sizeInBytes(): number {
    const { forms, starts, parents, beginnings, hashes, fragments } = this;
    const tables = [starts, parents, beginnings, hashes];
    return tables.reduce((sum, { byteLength }) => sum + byteLength, forms.length + fragments.sizeInBytes);
  }

  /**
   * The first secret, or part of one, in some bytes.
   *
   * @param from where it may begin
   * @param to where it must have begun; it may end behind that
   * @returns `null`: there is none
   */
  find(bytes: Buffer, from: number, to = bytes.length): Span | null {
    if (this.parents.length === 0) return null;
    const { beginnings } = this;
    let fragment: Span | null = null;
    let second = bytes[from] ?? 0;
    for (let position = from, wait = 0; position < to; position++, wait--) {
      if (wait === 0) {
        wait = FRAGMENT_STEP;
        fragment ??= this.fragments.near(bytes, position);
      }
      if (position === fragment?.start) return this.extend(bytes, fragment);
      const key = (second << 8) | (second = bytes[position + 1] ?? 0);
      if ((beginnings[key >> 3]! & (1 << (key & 7))) === 0) continue;
      const length = this.matchAt(bytes, position, bytes.length);
      if (length > 0) return { start: position, end: position + length };
    }
    return null;
  }

  /** A fragment with all secrets that begin in it. */
  private extend(bytes: Buffer, { start, end }: Span): Span {
    let last = end;
    for (let at = start; at < last; at++) last = Math.max(last, at + this.matchAt(bytes, at, bytes.length));
    return { start, end: last };
  }

  /**
   * @param position where a secret may begin
   * @param end of what may be read
   * @returns the length of the longest secret that begins there; 0: none does
   */
  matchAt(bytes: Buffer, position: number, end: number): number {
    if (end - position < MIN_MASKED) return 0;
    const hash = hashAt(bytes, position, this.hashes);
    if (((this.hashes[hash >> 3] ?? 0) & (1 << (hash & 7))) === 0) return 0;
    const textEnd = Math.min(end, position + this.lookahead);
    // What the text begins with is the last form that is not behind the text, or one that this form begins with.
    let low = 0;
    let high = this.parents.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [start, next] = this.boundsOf(middle);
      if (this.forms.compare(bytes, position, textEnd, start, next) <= 0) low = middle + 1;
      else high = middle;
    }
    const common = low === 0 ? 0 : this.commonLength(low - 1, bytes, position, textEnd);
    for (let index = low - 1; index >= 0; index = this.parents[index] ?? -1) {
      const [start, next] = this.boundsOf(index);
      if (next - start <= common) return next - start;
    }
    return 0;
  }

  private boundsOf(index: number): [start: number, end: number] {
    return [this.starts[index] ?? 0, this.starts[index + 1] ?? 0];
  }

  /** How many bytes a form and a text have in common at their beginnings. */
  private commonLength(index: number, bytes: Buffer, position: number, textEnd: number): number {
    const [start, next] = this.boundsOf(index);
    const most = Math.min(next - start, textEnd - position);
    let length = 0;
    while (length < most && this.forms[start + length] === bytes[position + length]) length++;
    return length;
  }

  /** A short text without the secrets. */
  mask(text: string): string {
    const bytes = Buffer.from(text);
    const parts: Buffer[] = [];
    let position = 0;
    for (let found = this.find(bytes, 0); found !== null; found = this.find(bytes, position)) {
      parts.push(bytes.subarray(position, found.start), Buffer.from(MASK));
      position = found.end;
    }
    return Buffer.concat([...parts, bytes.subarray(position)]).toString();
  }
}

/** Pauses after each small part of the work. */
function* tablesOf(secrets: readonly string[]): Generator<undefined, Tables> {
  const all = new Set<string>();
  for (const secret of secrets) {
    for (const text of [secret, ...partsOf(secret)]) all.add(text);
    yield;
  }
  const fragments = yield* SecretFragments.of([...all]);
  // One character is one byte here, so the order of texts is that of bytes.
  const texts = yield* sortedForms([...all]);
  const forms = Buffer.from(texts.join(''), 'latin1');
  const starts = new Uint32Array(texts.length + 1);
  const parents = new Int32Array(texts.length);
  const beginnings = new Uint8Array(8192);
  const hashes = new Uint8Array(2 ** Math.max(13, Math.ceil(Math.log2(texts.length + 1)) + 1));
  const open: number[] = [];
  let longest = 0;
  for (const [index, form] of texts.entries()) {
    const start = starts[index] ?? 0;
    starts[index + 1] = start + form.length;
    longest = Math.max(longest, form.length);
    const key = forms.readUInt16BE(start);
    beginnings[key >> 3]! |= 1 << (key & 7);
    const hash = hashAt(forms, start, hashes);
    hashes[hash >> 3]! |= 1 << (hash & 7);
    while (open.length > 0 && !form.startsWith(texts[open.at(-1) ?? 0] ?? '')) open.pop();
    parents[index] = open.at(-1) ?? -1;
    open.push(index);
    if (index % FORMS_AT_ONCE === 0) yield;
  }
  return { forms, starts, parents, beginnings, hashes, longest, fragments };
}

/** @returns the number of a bit for the four bytes at a position @param hashes whose length is a power of two */
function hashAt(bytes: Buffer, at: number, { length }: Uint8Array): number {
  const hash = Math.imul(wordAt(bytes, at), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (8 * length - 1);
}
