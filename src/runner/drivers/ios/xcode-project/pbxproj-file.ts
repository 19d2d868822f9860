import { isDeepStrictEqual } from 'node:util';
import { StepError } from '../../../steps/build-run.js';
import { field, isDictionary, type PbxObject, type PbxValue } from './pbx-objects.js';
import { type DictionaryPlace, PbxprojPlaces } from './pbxproj-places.js';
import { buildProject, parseProject } from './xcode-files.js';

/** A value that is set. */
interface Change {
  readonly keys: readonly string[];
  readonly key: string;
  readonly line: string;
}

/** A part of the text that is replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly key: string;
  readonly text: string;
}

/**
 * The text of a project file, and what is in it. Only the values that are set change in the text: the library would write the
 * whole file in another form, without the comments of its beginning.
 */
export class PbxprojFile {
  private readonly changes = new Map<string, Change>();

  private constructor(
    readonly path: string,
    private readonly text: string,
    /** With what was set. */
    readonly root: PbxObject,
  ) {}

  /** @throws StepError when it is no project file */
  static parse(path: string, text: string): PbxprojFile {
    return new PbxprojFile(path, text, parseRoot(path, text));
  }

  /** @returns the keys of a dictionary; `null`: there is no such dictionary */
  keysAt(keys: readonly string[]): string[] | null {
    const found = this.dictionaryAt(keys);
    return found === null ? null : Object.keys(found);
  }

  /**
   * Sets a text in a dictionary.
   *
   * @param keys of the dictionary, from the root
   * @returns whether that changes anything
   * @throws StepError when there is no such dictionary
   */
  set(keys: readonly string[], key: string, value: string): boolean {
    const found = this.dictionaryAt(keys);
    const line = lineOf(key, value);
    const changed = parseRoot(this.path, `{${line}}`)[key];
    if (found === null || changed === undefined) throw this.cannotChange(key);
    if (isDeepStrictEqual(field(found, key), changed)) return false;
    Object.defineProperty(found, key, {
      value: changed,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    this.changes.set(JSON.stringify([...keys, key]), { keys, key, line });
    return true;
  }

  /**
   * The text with what was set, and nothing else changed.
   *
   * @throws StepError when a value has no clear place, or the library reads anything else from the text
   */
  verified(): string {
    const places = new PbxprojPlaces(this.text);
    const edits = [...this.changes.values()].map(({ keys, key, line }) => {
      const place = places.find(keys);
      if (place === null) throw this.cannotChange(key);
      return editOf(this.text, place, key, line);
    });
    let text = this.text;
    for (const edit of edits.toSorted(lastFirst)) {
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    }
    if (isSame(parseRoot(this.path, text), this.root)) return text;
    throw new StepError('configuration', `${this.path} cannot be changed without changing more in it.`);
  }

  private dictionaryAt(keys: readonly string[]): PbxObject | null {
    let value: PbxValue | undefined = this.root;
    for (const key of keys) {
      if (!isDictionary(value)) return null;
      value = field(value, key);
    }
    return isDictionary(value) ? value : null;
  }

  private cannotChange(key: string): StepError {
    return new StepError('configuration', `${this.path} cannot be changed: ${key} has no clear place.`);
  }
}

function parseRoot(path: string, text: string): PbxObject {
  try {
    const root = parseProject(text) as PbxValue;
    if (isDictionary(root)) return root;
  } catch {
    // Also a file that is nested too deeply for the library.
  }
  throw new StepError('configuration', `${path} is not a valid project file of Xcode.`);
}

function isSame(left: PbxObject, right: PbxObject): boolean {
  try {
    return isDeepStrictEqual(left, right);
  } catch {
    return false;
  }
}

/** As the library writes it: `KEY = value;`. */
function lineOf(key: string, value: string): string {
  const [, , line = ''] = buildProject({ [key]: value } as Parameters<typeof buildProject>[0]).split(/\r?\n/);
  // The library writes it without quotes, and then reads a comment.
  return line.trim().replace(/ = (\/\/.*);$/, ' = "$1";');
}

/** Replaces the value, or adds a line where the order of the names wants it. */
function editOf(text: string, place: DictionaryPlace, key: string, line: string): Edit {
  const entry = place.entries.get(key);
  if (entry !== undefined) return { start: entry.start, end: entry.end, key, text: line };
  const entries = [...place.entries];
  const next = entries.find(([name]) => name > key)?.[1];
  const at = next?.start ?? place.end;
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = text.slice(lineStart, at);
  // All in one line.
  if (!/^[ \t]*$/.test(indent)) return { start: at, end: at, key, text: `${line} ` };
  const own = next === undefined ? (indentOf(text, entries.at(-1)?.[1].start) ?? `${indent}\t`) : indent;
  const end = text[lineStart - 2] === '\r' ? '\r\n' : '\n';
  return { start: lineStart, end: lineStart, key, text: own + line + end };
}

/** From the end of the text, so that places stay right; of lines that are added at one place, the last one first. */
function lastFirst(a: Edit, b: Edit): number {
  if (a.start !== b.start) return b.start - a.start;
  if (a.end !== b.end) return b.end - a.end;
  return a.key < b.key ? 1 : -1;
}

/** The white space before the first thing in a line. */
function indentOf(text: string, at: number | undefined): string | null {
  if (at === undefined) return null;
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*$/.test(indent) ? indent : null;
}
