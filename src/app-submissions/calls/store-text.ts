/** Characters without width that editors leave in texts: a space without width, and a byte order mark. Emoji use U+200D. */
const INVISIBLE = /[\u200B\uFEFF]/g;
/** The combining marks of Latin, Greek and Cyrillic letters. Other scripts have marks of their own, which stores take. */
const COMBINING = /(.?)([\u0300-\u036F])/su;

/** A text for a store: composed (NFC), with line feeds only, without invisible characters and blanks at its ends. */
export function storeText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(INVISIBLE, '').normalize('NFC').trim();
}

/**
 * The first combining mark that a text keeps as `storeText`, because no letter has it built in. Apple refuses such texts.
 *
 * @returns such as `U+0306 after "k"`; `null`: there is none
 */
export function combiningMarkIn(text: string): string | null {
  const [, letter = '', mark = ''] = COMBINING.exec(storeText(text)) ?? [];
  if (mark === '') return null;
  return codePointOf(mark) + (letter.trim() === '' ? '' : ` after "${letter}"`);
}

/** A character as Unicode numbers it: `U+0306`. */
function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
