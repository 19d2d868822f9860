import { nearMiss } from './near-miss.js';

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
