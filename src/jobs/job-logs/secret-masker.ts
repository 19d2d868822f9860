/** What stands in a log instead of a secret. */
export const MASK = '***';
/** Shorter secrets cannot be masked: they would be found everywhere. In characters. */
export const MIN_MASKED = 4;
/** Longer texts are masked in pieces, so that the search never has to look further ahead. In bytes. */
const MAX_PIECE = 4096;

/**
 * Finds secrets in the bytes of a log: each line of them as it is, and as it looks in Base64 (also within a longer
 * text), in a URL and in JSON.
 */
export class SecretMasker {
  /** The forms to find by their first two bytes, the longest first. */
  private readonly forms = new Map<number, Buffer[]>();
  /** Bytes that must follow a position to decide whether a secret begins there. */
  readonly lookahead: number;

  constructor(secrets: readonly string[]) {
    const forms = new Set(secrets.flatMap(formsOf).flatMap(piecesOf));
    let longest = 0;
    for (const form of forms) {
      const bytes = Buffer.from(form, 'latin1');
      longest = Math.max(longest, bytes.length);
      const key = bytes.readUInt16BE();
      this.forms.set(key, [...(this.forms.get(key) ?? []), bytes]);
    }
    for (const found of this.forms.values()) found.sort((a, b) => b.length - a.length);
    this.lookahead = longest;
  }

  /** About how much memory it takes, in bytes. */
  get sizeInBytes(): number {
    return [...this.forms.values()].flat().reduce((sum, { length }) => sum + length + 200, 200);
  }

  /**
   * @param position where a secret may begin
   * @param end of what may be read
   * @returns the length of the longest secret that begins there; 0: none does
   */
  matchAt(bytes: Buffer, position: number, end: number): number {
    if (end - position < MIN_MASKED || this.forms.size === 0) return 0;
    const candidates = this.forms.get(bytes.readUInt16BE(position));
    const found = candidates?.find(
      (form) =>
        position + form.length <= end &&
        bytes.compare(form, 0, form.length, position, position + form.length) === 0,
    );
    return found?.length ?? 0;
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
