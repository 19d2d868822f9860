/** What stands in a log instead of a secret. */
export const MASK = '***';
/** Shorter secrets cannot be masked: they would be found everywhere. In characters. */
export const MIN_MASKED = 4;
/** Longer texts are masked in pieces, so that the search never has to look further ahead. In bytes. */
const MAX_PIECE = 4096;

/**
 * Finds secrets in the bytes of a log: each line of them as it is, and as it looks in Base64 (also within a longer
 * text), in a URL and in JSON. Its time for a byte grows with the logarithm of the number of forms, also when many begin
 * alike: users choose the secrets and the log.
 */
export class SecretMasker {
  /** All forms to find, in order, one behind the other. */
  private readonly forms: Buffer;
  /** Where each form begins in `forms`; then the end of the last one. */
  private readonly starts: Uint32Array;
  /** The longest other form that each form begins with; -1: there is none. */
  private readonly parents: Int32Array;
  /** A bit for each pair of bytes that a form begins with. */
  private readonly beginnings = new Uint8Array(8192);
  /** Bytes that must follow a position to decide whether a secret begins there. */
  readonly lookahead: number;

  constructor(secrets: readonly string[]) {
    // One character is one byte here, so the order of texts is that of bytes.
    const forms = [...new Set(secrets.flatMap(formsOf).flatMap(piecesOf))].sort();
    this.forms = Buffer.from(forms.join(''), 'latin1');
    this.starts = new Uint32Array(forms.length + 1);
    this.parents = new Int32Array(forms.length);
    const open: number[] = [];
    let longest = 0;
    for (const [index, form] of forms.entries()) {
      const start = this.starts[index] ?? 0;
      this.starts[index + 1] = start + form.length;
      longest = Math.max(longest, form.length);
      const key = this.forms.readUInt16BE(start);
      this.beginnings[key >> 3]! |= 1 << (key & 7);
      while (open.length > 0 && !form.startsWith(forms[open.at(-1) ?? 0] ?? '')) open.pop();
      this.parents[index] = open.at(-1) ?? -1;
      open.push(index);
    }
    this.lookahead = longest;
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

/** Every form of a secret, as bytes in a text of Latin-1. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const forms = lines.filter((line) => line.length >= MIN_MASKED).flatMap(formsOfLine);
  // A key of several lines is also encoded as a whole.
  return lines.length > 1 && secret.length >= MIN_MASKED ? [...forms, ...base64FormsOf(secret)] : forms;
}

function formsOfLine(line: string): string[] {
  const encoded = encodeUri(line);
  const texts = [
    line,
    JSON.stringify(line).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ];
  return [...texts.map((text) => Buffer.from(text).toString('latin1')), ...base64FormsOf(line)];
}

/** As `encodeURIComponent`, for any text. */
function encodeUri(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * The characters that only the secret decides, whichever of the three positions it has in the encoded text: in
 * `Basic <user:secret>`, other bytes come before it.
 */
function base64FormsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const form = encoded.slice(first, last);
    return form.length < MIN_MASKED ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Pieces of almost the same length, so that none is too short. */
function piecesOf(form: string): string[] {
  const count = Math.ceil(form.length / MAX_PIECE);
  const length = Math.ceil(form.length / count);
  return Array.from({ length: count }, (_, index) => form.slice(index * length, (index + 1) * length));
}
