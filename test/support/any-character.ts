import fc from 'fast-check';

/**
 * A `unit` of `fc.string`: any code point but surrogates, as the unit `binary`, which fills a table of a million entries in each
 * file that uses it.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? code - 0xd800 : code));
