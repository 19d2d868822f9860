/** Longest text that is kept of a file, in characters. */
export const MAX_TEXT = 1000;

/** Control characters, line ends, and what changes the direction of the text around it. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text of a file as it is kept and shown: one line, shortened. @returns `null`: it says nothing */
export function cleanText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const line = text
    .slice(0, 2 * MAX_TEXT)
    .toWellFormed()
    .replace(HIDDEN, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return line === '' ? null : line;
}
