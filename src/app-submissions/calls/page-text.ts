import { JsonValue } from '../../common/json-value.js';

/** Characters that are kept. */
const MAX_CHARACTERS = 200;

/** The beginning of what is no JSON, such as a page of a proxy, as one line without tags; `null`: nothing readable. */
export function pageText(text: string): string | null {
  const page = text.slice(0, 20 * MAX_CHARACTERS).replace(/<[^<>]*>/g, ' ');
  return new JsonValue(page.replace(/\s+/g, ' ')).text?.slice(0, MAX_CHARACTERS) ?? null;
}
