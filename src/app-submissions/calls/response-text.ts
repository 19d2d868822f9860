import { hasMoreValues } from '../../common/http/has-more-values.js';
import { JsonValue } from '../../common/json-value.js';

/** Values of one answer: lists of files and tracks have a few thousand. */
const MAX_VALUES = 200_000;

/** The JSON of an answer; `null`: it is none, or too much. */
export function parseJson(text: string): JsonValue | null {
  if (hasMoreValues(text, MAX_VALUES)) return null;
  try {
    return new JsonValue(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Characters that are kept. */
const MAX_CHARACTERS = 200;

/** The beginning of what is no JSON, such as a page of a proxy, as one line without tags; `null`: nothing readable. */
export function pageText(text: string): string | null {
  const page = text.slice(0, 20 * MAX_CHARACTERS).replace(/<[^<>]*>/g, ' ');
  return new JsonValue(page.replace(/\s+/g, ' ')).text?.slice(0, MAX_CHARACTERS) ?? null;
}
