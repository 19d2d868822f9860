import { visibleOf } from './terminal-sequences.js';

/** Shorter secrets cannot be masked: they would be found everywhere. In characters. */
export const MIN_MASKED = 4;
/** Longer texts are masked in pieces, so that the search never has to look further ahead. In bytes. */
const MAX_PIECE = 4096;
/** Shorter secrets are not searched in hexadecimal: many numbers would be found. In bytes. */
const MIN_HEX = 8;
/** Forms after which work on them pauses. */
export const FORMS_AT_ONCE = 1000;

/**
 * How many lines of secrets can be masked: each takes ten to fifty forms. The parts of secrets do not count: their length is
 * that of the secrets.
 */
export function countMaskedLines(secrets: readonly string[]): number {
  return secrets.reduce((count, secret) => count + maskedLinesOf(secret).length, 0);
}

/**
 * Every form of the secrets to find in a text, in order and once, as bytes in texts of Latin-1. It pauses after each small
 * part of the work.
 */
export function* sortedForms(secrets: readonly string[]): Generator<undefined, string[]> {
  let runs: string[][] = [];
  let run: string[] = [];
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      for (const seen of asSeen(form)) run.push(...piecesOf(seen));
      if (run.length < FORMS_AT_ONCE) continue;
      runs.push(run.sort());
      run = [];
      yield;
    }
  }
  runs.push(run.sort());
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? []));
    }
    runs = longer;
  }
  return yield* merged(runs[0] ?? [], []);
}

/** Merges two sorted lists, and drops what is there twice. */
function* merged(left: readonly string[], right: readonly string[]): Generator<undefined, string[]> {
  const all: string[] = [];
  for (let a = 0, b = 0; a < left.length || b < right.length;) {
    const [one, other] = [left[a], right[b]];
    const isLeft = other === undefined || (one !== undefined && one <= other);
    const next = isLeft ? one : other;
    if (isLeft) a++;
    else b++;
    if (next !== undefined && next !== all.at(-1)) all.push(next);
    if ((a + b) % FORMS_AT_ONCE === 0) yield;
  }
  return all;
}

function linesOf(secret: string): string[] {
  return secret.split(/[\r\n]+/).map((line) => line.trim());
}

function maskedLinesOf(secret: string): string[] {
  return linesOf(secret).filter((line) => line.length >= MIN_MASKED);
}

function* formsOf(secret: string): Generator<string> {
  for (const line of maskedLinesOf(secret)) yield* formsOfLine(line);
  // A key of several lines is also encoded in one piece.
  if (secret.length >= MIN_MASKED && linesOf(secret).length > 1) {
    yield* base64FormsOf(secret);
    yield* hexFormsOf(secret);
  }
}

function formsOfLine(line: string): string[] {
  const texts = [line, ...jsonFormsOf(line), ...uriFormsOf(line), ...htmlFormsOf(line)];
  // Most of them are the same, where a line has letters and digits only.
  const bytes = new Set(texts.map((text) => Buffer.from(text).toString('latin1')));
  return [...bytes, ...base64FormsOf(line), ...hexFormsOf(line)];
}

/** Logs are searched without sequences of terminals, which a secret may hold, too. */
function asSeen(form: string): string[] {
  const seen = visibleOf(Buffer.from(form, 'latin1')).visible.toString('latin1');
  return seen === form || seen.length < MIN_MASKED ? [form] : [form, seen];
}

/** How libraries escape quotes in HTML: not at all, and in the usual ways. */
const quotes: readonly (readonly [double: string, single: string])[] = [
  ['"', "'"],
  ['&quot;', "'"],
  ['&quot;', '&#39;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&#x27;'],
  ['&quot;', '&apos;'],
  ['&#34;', '&#39;'],
];

function htmlFormsOf(line: string): string[] {
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return quotes.map(([double, single]) => text.replaceAll('"', double).replaceAll("'", single));
}

export function hexFormsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < MIN_HEX) return [];
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase()];
}

/**
 * Characters besides letters, digits and `_.-` that encoders of URLs leave: JavaScript; PHP, Python and Go; Python for
 * paths; Java and forms of browsers; older PHP; Go for paths; JavaScript for whole addresses.
 */
const unencoded = ["~!*'()", '~', '~/', '*', '', '~$&+:=@', "~!*'()/?:@&=+$,;#"];

export function uriFormsOf(line: string): string[] {
  if (/^[\w.-]*$/.test(line)) return [];
  const encoded = encodeURIComponent(line.toWellFormed()).replaceAll(/[~!*'()]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return unencoded.flatMap((left) => {
    const form = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return left.includes(character) ? character : code;
    });
    const forms = [form, form.replaceAll('%20', '+')];
    return [...forms, ...forms.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
  });
}

/** What encoders of JSON escape beyond what they must, so that it is ASCII, or safe in a page. */
export function jsonFormsOf(line: string): string[] {
  const json = JSON.stringify(line).slice(1, -1);
  // Python and Java; PHP also escapes slashes.
  const ascii = withCodes(json, /[^\0-\x7f]/g);
  return [
    json,
    // In JSON
    JSON.stringify(json).slice(1, -1),
    ascii,
    json.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\/'),
    // Go and Ruby; Gson; Flask
    withCodes(json, /[<>&\u2028\u2029]/g),
    withCodes(json, /[<>&'=\u2028\u2029]/g),
    withCodes(ascii, /[<>&']/g),
    // .NET
    withCodes(json.replaceAll('\\"', '\\u0022'), /[<>&'+`]|[^\0-\x7f]/g, true),
  ];
}

function withCodes(text: string, characters: RegExp, isUpper = false): string {
  return text.replaceAll(characters, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isUpper ? code.toUpperCase() : code}`;
  });
}

/**
 * The characters that only the secret decides, whichever of the three positions it has in the encoded text: in
 * `Basic <user:secret>`, other bytes come before it.
 *
 * @param isEnd whether nothing comes behind it: then it also decides the last characters
 */
export function base64FormsOf(secret: string, isEnd = false): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const last = isEnd ? encoded.length : Math.floor(((before + bytes.length) * 8) / 6);
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
