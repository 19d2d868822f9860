/** Where an entry of a dictionary is in the text: from its key to behind its semicolon. */
export interface EntryPlace {
  readonly start: number;
  readonly end: number;
  /** Where the value begins. */
  readonly value: number;
}

/** Where a dictionary is in the text of a project file. */
export interface DictionaryPlace {
  readonly entries: ReadonlyMap<string, EntryPlace>;
  /** Where its closing brace is. */
  readonly end: number;
}

/** Space, tab and line ends. */
const SPACE = new Set([32, 9, 10, 13]);
/** As `@bacons/xcode` reads texts without quotes. */
const TEXT = /[\w$/:.-]+/y;

/** Finds dictionaries in a project file. The library reads what is in the file, but not where. */
export class PbxprojPlaces {
  private readonly found = new Map<string, DictionaryPlace | null>();

  constructor(private readonly text: string) {}

  /** @param keys from the root @returns `null`: it is not there */
  find(keys: readonly string[]): DictionaryPlace | null {
    const name = JSON.stringify(keys);
    const known = this.found.get(name);
    if (known !== undefined) return known;
    const start = this.startOf(keys);
    const place = start === null ? null : dictionaryPlace(this.text, start);
    this.found.set(name, place);
    return place;
  }

  private startOf(keys: readonly string[]): number | null {
    if (keys.length === 0) return skipSpace(this.text, 0);
    return this.find(keys.slice(0, -1))?.entries.get(keys.at(-1) ?? '')?.value ?? null;
  }
}

function dictionaryPlace(text: string, start: number): DictionaryPlace | null {
  if (text[start] !== '{') return null;
  const entries = new Map<string, EntryPlace>();
  for (let at = skipSpace(text, start + 1); at < text.length; at = skipSpace(text, at)) {
    if (text[at] === '}') return { entries, end: at };
    const keyEnd = skipToken(text, at);
    const equals = skipSpace(text, keyEnd);
    if (text[equals] !== '=') return null;
    const value = skipSpace(text, equals + 1);
    const end = skipSpace(text, skipValue(text, value));
    if (text[end] !== ';') return null;
    entries.set(unquoted(text.slice(at, keyEnd)), { start: at, end: end + 1, value });
    at = end + 1;
  }
  return null;
}

/** Behind a text, a list or a dictionary; `text.length`: it does not end. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at = skipSpace(text, at)) {
    const character = text[at] ?? '';
    if ('{('.includes(character)) depth++;
    if ('})'.includes(character)) depth--;
    at = skipToken(text, at);
    if (depth === 0) return at;
  }
  return text.length;
}

/** Behind a text, data in angle brackets, or one character. */
function skipToken(text: string, start: number): number {
  const quote = text[start];
  if (quote === '<') return endOf(text, '>', start);
  if (quote !== '"' && quote !== "'") {
    TEXT.lastIndex = start;
    return start + Math.max(1, TEXT.exec(text)?.[0].length ?? 0);
  }
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Behind white space and comments. */
function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    if (SPACE.has(text.charCodeAt(at))) at++;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2);
    else break;
  }
  return at;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length;
}

/** Keys with escapes are none of those that are looked for. */
function unquoted(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key;
}
