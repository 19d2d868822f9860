/** What would begin a new line, or what no font shows. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that turn the direction of a text, and with it the meaning of what stands beside it (CVE-2021-42574). */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How one character of a text is escaped, so that a chat shows it literally. */
export type EscapeCharacter = (character: string) => string;

/** The text on one line, without control characters and marks of direction. May be empty. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(DIRECTIONS, '').replace(BREAKS, ' ').replace(/ {2,}/g, ' ').trim();
}

/**
 * A text of a user as a chat shows it: on one line, escaped, and cut. Characters are escaped one by one, and the cut is
 * between two of those that readers see, so it leaves no half of an escape sequence, of a joined emoji or of a letter with
 * its accents.
 *
 * @param maxLength of the result, in UTF-16 code units: no product counts fewer. Longer texts end with `…`
 */
export function chatText(text: string, maxLength: number, escape: EscapeCharacter): string {
  const clean = cleanText(text);
  const whole = Array.from(clean, escape).join('');
  if (whole.length <= maxLength) return whole;
  let length = '…'.length;
  let end = 0;
  for (const character of clean) {
    length += escape(character).length;
    if (length > maxLength) break;
    end += character.length;
  }
  const kept = Array.from(clean.slice(0, boundaryBefore(clean, end)), escape).join('');
  return `${kept.trimEnd()}…`;
}

/** The last index up to `end` that splits no character. Only the code point after `end` counts, however long the text is. */
function boundaryBefore(text: string, end: number): number {
  const graphemes = SEGMENTER.segment(text.slice(0, end + 2));
  return graphemes.containing(end)?.index ?? end;
}
