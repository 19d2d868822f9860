import { tagsOf } from '../../../steps/overrides/xml-tags.js';
import { textOfXml } from '../../../steps/overrides/xml-text.js';

/** Nothing that is looked for lies deeper. */
const MAX_DEPTH = 8;
const SCALARS = new Set(['string', 'integer', 'real', 'date', 'data', 'true', 'false']);

/** A value of a property list that is no dictionary and no array. */
export interface PlistEntry {
  /** The keys from the root; elements of an array are `0`, `1` and so on. */
  readonly path: readonly string[];
  /** Where its element is in the text. */
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

/** What is in a property list in XML. */
export interface PlistContent {
  readonly entries: readonly PlistEntry[];
  /** Where the first key of the dictionary is, and where the dictionary ends; `null`: there is no dictionary. */
  readonly root: { readonly firstKey: number | null; readonly end: number } | null;
}

interface Frame {
  readonly path: readonly string[] | null;
  readonly isArray: boolean;
  key: string | null;
  index: number;
}

/** Finds the values of a property list, and where they are, so that everything else in the file stays unchanged. */
export function plistContent(xml: string): PlistContent {
  const entries: PlistEntry[] = [];
  const stack: Frame[] = [];
  let root: PlistContent['root'] = null;
  let firstKey: number | null = null;
  let keyStart: number | null = null;
  let open: { path: readonly string[]; start: number; content: number } | null = null;
  for (const tag of tagsOf(xml)) {
    const frame = stack.at(-1);
    if (tag.name === 'key') {
      if (tag.kind === 'open') keyStart = tag.end;
      if (tag.kind === 'open' && stack.length === 1) firstKey ??= tag.start;
      if (tag.kind === 'close' && keyStart !== null && frame !== undefined) {
        frame.key = textOfXml(xml.slice(keyStart, tag.start));
      }
      continue;
    }
    const isContainer = tag.name === 'dict' || tag.name === 'array';
    if (tag.kind === 'close') {
      if (isContainer) stack.pop();
      if (isContainer && stack.length === 0) root ??= { firstKey, end: tag.start };
      if (SCALARS.has(tag.name) && open !== null) {
        const content = textOfXml(xml.slice(open.content, tag.start));
        entries.push({ path: open.path, start: open.start, end: tag.end, content });
        open = null;
      }
      continue;
    }
    const path = pathIn(frame, stack.length);
    if (isContainer && tag.kind === 'open') {
      stack.push({
        path: stack.length === 0 ? [] : path,
        isArray: tag.name === 'array',
        key: null,
        index: 0,
      });
    } else if (SCALARS.has(tag.name) && path !== null) {
      if (tag.kind === 'open') open = { path, start: tag.start, content: tag.end };
      else entries.push({ path, start: tag.start, end: tag.end, content: '' });
    }
    if (root !== null) break;
  }
  return { entries, root };
}

/** The path of the next value. @returns `null`: it has none that is looked for */
function pathIn(frame: Frame | undefined, depth: number): readonly string[] | null {
  if (frame === undefined || frame.path === null) return null;
  const key = frame.isArray ? String(frame.index++) : frame.key;
  frame.key = null;
  return key === null || depth > MAX_DEPTH ? null : [...frame.path, key];
}
