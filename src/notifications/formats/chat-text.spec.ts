import fc from 'fast-check';
import { chatText, cleanText } from './chat-text.js';
import { anyCharacter } from '../../../test/support/any-character.js';

const asEntity = (character: string): string => (character === '<' ? '&lt;' : character);

it('keeps a text on one line, in its direction, without what no font shows', () => {
  expect(cleanText(' a\r\n\tb\u2028c\u0000\u202Etxt.exe\u2066 ')).toBe('a b c txt.exe');
  expect(cleanText('\uD800a')).toBe('\uFFFDa');
  expect(cleanText('👩‍💻 é 日本')).toBe('👩‍💻 é 日本');
  expect(cleanText('\u202E\n')).toBe('');
});

it('cuts a text that is too long, but no escape sequence and no character', () => {
  expect(chatText('ab<', 6, asEntity)).toBe('ab&lt;');
  expect(chatText('ab<c', 6, asEntity)).toBe('ab…');
  expect(chatText('a😀😀', 4, asEntity)).toBe('a😀…');
  expect(chatText('ab cd', 4, asEntity)).toBe('ab…');
});

it.each([
  ['a joined emoji', 'ab👩‍👩‍👧‍👦c', 8, 'ab…'],
  ['a letter with its accent', 'abe\u0301c', 4, 'ab…'],
  ['a flag', '🇩🇪🇫🇷c', 7, '🇩🇪…'],
  ['an emoji with its skin tone', 'a👍🏽c', 4, 'a…'],
  ['an emoji with its variation', 'a❤\uFE0Fcd', 3, 'a…'],
  ['a syllable of Hangul', 'a\u1112\u1161\u11ABc', 4, 'a…'],
  ['a letter with more accents than fit', `e${'\u0301'.repeat(50)}`, 10, '…'],
])('does not cut inside %s', (_, text, maxLength, shown) => {
  expect(chatText(text, maxLength, asEntity)).toBe(shown);
});

it('keeps a joined emoji that fits, whatever comes after it', () => {
  expect(chatText('ab👩‍💻cdef', 8, asEntity)).toBe('ab👩‍💻…');
  expect(chatText(`<👩‍💻${'x'.repeat(100_000)}`, 10, asEntity)).toBe('&lt;👩‍💻…');
});

it('never exceeds the length, and needs no cut when the text fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const shown = chatText(text, max, asEntity);
      expect(shown.length).toBeLessThanOrEqual(max);
      expect(shown.isWellFormed()).toBe(true);
      const whole = cleanText(text).replaceAll('<', '&lt;');
      if (whole.length <= max) expect(shown).toBe(whole);
      else expect(shown.endsWith('…')).toBe(true);
    }),
  );
});

it('cuts between characters that readers see', () => {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const part = fc.constantFrom('a', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '👍🏽', '한', '<', ' ', '\u0306', '\u200D', '日');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 30 }), (parts, max) => {
      const text = parts.join('');
      const shown = chatText(text, max, (character) => character);
      if (shown === cleanText(text)) return;
      const starts = Array.from(graphemes.segment(cleanText(text)), ({ index }) => index);
      const kept = shown.slice(0, -1);
      const next = starts.find((index) => index >= kept.length) ?? 0;
      expect(cleanText(text).slice(kept.length, next).trim()).toBe('');
    }),
  );
});
