import { combiningMarkIn, nearMiss, storeText } from './store-text.js';

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

describe('a near miss of a name', () => {
  it.each([
    ['Beta', 'Beta ', 'the store has "Beta " with a blank at the end'],
    ['Beta', ' Beta', 'the store has " Beta" with a blank at the beginning'],
    ['Beta ', 'Beta', 'the store has "Beta" without a blank at its ends'],
    ['QA Team', 'QA  Team', 'the store has "QA  Team" with other blanks'],
    ['QA Team', 'QA\u00A0Team', 'the store has "QA\u00A0Team" with other blanks'],
    ['Qualität', 'Qualita\u0308t', 'the store has "Qualita\u0308t" with accents composed in another way'],
    ['beta', 'Beta', 'the store has "Beta" in another case'],
    ['Beta', 'Be\u200Bta', 'the store has "Be\u200Bta" with other invisible characters'],
    ['beta', 'Beta ', 'the store has "Beta " with a blank at the end and in another case'],
  ])('shows that for %j, there is %j', (wanted, known, sentence) => {
    expect(nearMiss(wanted, ['Others', known])).toBe(sentence);
  });

  it('is none for the name itself, and for other names', () => {
    expect(nearMiss('Beta', ['Beta'])).toBeNull();
    expect(nearMiss('Beta', ['Beta 2', 'Bêta', ''])).toBeNull();
    expect(nearMiss('', [])).toBeNull();
  });
});
