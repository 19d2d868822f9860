/** What would begin a new line, or what no font shows. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that turn the direction of a text, and with it the meaning of what stands beside it (CVE-2021-42574). */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** How one character of a text is escaped, so that a chat shows it literally. */
export type EscapeCharacter = (character: string) => string;

/** The text on one line, without control characters and marks of direction. May be empty. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(DIRECTIONS, '').replace(BREAKS, ' ').replace(/ {2,}/g, ' ').trim();
}

/**
 * A text of a user as a chat shows it: on one line, escaped, and cut. Characters are escaped one by one, so no cut leaves
 * half of an escape sequence.
 *
 * @param maxLength of the result, in UTF-16 code units: no product counts fewer. Longer texts end with `…`
 */
export function chatText(text: string, maxLength: number, escape: EscapeCharacter): string {
  const escaped = Array.from(cleanText(text), escape);
  const whole = escaped.join('');
  if (whole.length <= maxLength) return whole;
  let length = '…'.length;
  const kept = escaped.findIndex((character) => (length += character.length) > maxLength);
  return `${escaped.slice(0, kept).join('').trimEnd()}…`;
}
