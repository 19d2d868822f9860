import { combiningMarkIn, storeText } from './store-text.js';

it.each([
  ['composes letters', 'и\u0306 e\u0301 A\u030A', 'й é Å'],
  ['makes line ends plain', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
  ['takes out a byte order mark and spaces without width', '\uFEFFa\u200Bb\uFEFF', 'ab'],
  ['composes what a space without width has parted', 'e\u200B\u0301', 'é'],
  ['takes off blanks at the ends', ' \n\ta b\r\n', 'a b'],
  ['keeps blank lines within', 'a\r\n\r\nb', 'a\n\nb'],
])('%s', (_, text, sent) => {
  expect(storeText(text)).toBe(sent);
});

it.each(['👩‍💻 ❤️', 'a\u00A0b', 'می\u200Cخواهم', 'สวัสดี', 'हिन्दी', 'مَرْحَبًا', 'ﬁ ½'])('keeps %s', (text) => {
  expect(storeText(text)).toBe(text);
  expect(combiningMarkIn(text)).toBeNull();
});

it('names a combining mark that remains', () => {
  expect(combiningMarkIn('и\u0306 e\u0301')).toBeNull();
  expect(combiningMarkIn('за\u0301мок')).toBe('U+0301 after "а"');
  expect(combiningMarkIn('k\u0306')).toBe('U+0306 after "k"');
  expect(combiningMarkIn('\u0306k')).toBe('U+0306');
});
