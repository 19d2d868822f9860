import fc from 'fast-check';
import { chatText, cleanText } from './chat-text.js';

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

it('never exceeds the length, and needs no cut when the text fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const shown = chatText(text, max, asEntity);
      expect(shown.length).toBeLessThanOrEqual(max);
      expect(shown.isWellFormed()).toBe(true);
      const whole = cleanText(text).replaceAll('<', '&lt;');
      if (whole.length <= max) expect(shown).toBe(whole);
      else expect(shown.endsWith('…')).toBe(true);
    }),
  );
});
