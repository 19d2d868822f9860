import { setImmediate as nextRound } from 'node:timers/promises';
import { FORMS_AT_ONCE, MIN_MASKED, sortedForms } from './secret-forms.js';

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
  /** Length of the longest form. */
  readonly longest: number;
}

/**
 * Finds secrets in the bytes of a log: each line of them as it is, and as it looks in Base64 (also within a longer text), in
 * hexadecimal, in a URL, in HTML and in JSON. Its time for a byte grows with the logarithm of the number of forms, also when
 * many begin alike: users choose the secrets and the log.
 */
export class SecretMasker {
  private readonly forms: Buffer;
  private readonly starts: Uint32Array;
  private readonly parents: Int32Array;
  private readonly beginnings: Uint8Array;
  /** Bytes that must follow a position to decide whether a secret begins there. */
  readonly lookahead: number;

  private constructor({ forms, starts, parents, beginnings, longest }: Tables) {
    this.forms = forms;
    this.starts = starts;
    this.parents = parents;
    this.beginnings = beginnings;
    this.lookahead = longest;
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
    return this.forms.length + this.starts.byteLength + this.parents.byteLength + this.beginnings.length;
  }

  /**
   * @param position where a secret may begin
   * @param end of what may be read
   * @returns the length of the longest secret that begins there; 0: none does
   */
  matchAt(bytes: Buffer, position: number, end: number): number {
    if (end - position < MIN_MASKED) return 0;
    const key = bytes.readUInt16BE(position);
    if (((this.beginnings[key >> 3] ?? 0) & (1 << (key & 7))) === 0) return 0;
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
    for (let position = 0; position < bytes.length;) {
      const length = this.matchAt(bytes, position, bytes.length);
      parts.push(length > 0 ? Buffer.from(MASK) : bytes.subarray(position, position + 1));
      position += Math.max(length, 1);
    }
    return Buffer.concat(parts).toString();
  }
}

/** Pauses after each small part of the work. */
function* tablesOf(secrets: readonly string[]): Generator<undefined, Tables> {
  // One character is one byte here, so the order of texts is that of bytes.
  const texts = yield* sortedForms(secrets);
  const forms = Buffer.from(texts.join(''), 'latin1');
  const starts = new Uint32Array(texts.length + 1);
  const parents = new Int32Array(texts.length);
  const beginnings = new Uint8Array(8192);
  const open: number[] = [];
  let longest = 0;
  for (const [index, form] of texts.entries()) {
    const start = starts[index] ?? 0;
    starts[index + 1] = start + form.length;
    longest = Math.max(longest, form.length);
    const key = forms.readUInt16BE(start);
    beginnings[key >> 3]! |= 1 << (key & 7);
    while (open.length > 0 && !form.startsWith(texts[open.at(-1) ?? 0] ?? '')) open.pop();
    parents[index] = open.at(-1) ?? -1;
    open.push(index);
    if (index % FORMS_AT_ONCE === 0) yield;
  }
  return { forms, starts, parents, beginnings, longest };
}
