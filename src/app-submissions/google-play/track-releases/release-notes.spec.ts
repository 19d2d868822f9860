import { toPlayNotes } from './release-notes.js';

const languages = ['en-US', 'de-DE', 'pt-BR'];
const notesOf = (given: Record<string, string> | null, defaultLanguage: string | null = 'en-US') =>
  toPlayNotes(given, defaultLanguage, languages);

it('gives the default notes to the default language, and names languages without notes', () => {
  expect(notesOf({ default: 'Faster.', 'de-DE': 'Schneller.' })).toEqual({
    notes: [
      { language: 'de-DE', text: 'Schneller.' },
      { language: 'en-US', text: 'Faster.' },
    ],
    missing: ['pt-BR'],
  });
});

it('prefers notes of the default language itself', () => {
  expect(notesOf({ default: 'A', 'en-US': 'B' }).notes).toEqual([{ language: 'en-US', text: 'B' }]);
});

it('writes languages as the listing does', () => {
  expect(notesOf({ PT_br: 'Mais rápido.' }).notes).toEqual([{ language: 'pt-BR', text: 'Mais rápido.' }]);
});

it.each<Record<string, string> | null>([null, {}, { default: '', 'de-DE': ' \n' }])(
  'has no notes without texts: %j',
  (given) => {
    expect(notesOf(given, null)).toEqual({ notes: [], missing: languages });
  },
);

it('sends texts composed, with line feeds, and without what no one sees', () => {
  const text = '\uFEFFНовый и\u0306\u200B,\r\nk\u0306 👩‍💻\u00A0!\r\n';
  expect(notesOf({ default: text }).notes).toEqual([
    { language: 'en-US', text: 'Новый й,\nk\u0306 👩‍💻\u00A0!' },
  ]);
  expect(notesOf({ default: 'e\u0301'.repeat(500) }).notes).toHaveLength(1);
});

it('compares languages with the blanks that the listing has', () => {
  expect(() => toPlayNotes({ 'de-DE': 'A' }, 'en-US', ['en-US', 'de-DE '])).toThrow(
    'does not have (the store has "de-DE " with a blank at the end)',
  );
});

it('counts code points', () => {
  expect(notesOf({ default: '😀'.repeat(500) }).notes).toHaveLength(1);
  expect(() => notesOf({ default: '😀'.repeat(501) })).toThrow(/in en-US are longer than 500/);
});

it.each([
  [
    { 'it-IT': 'Più veloce.' },
    'en-US',
    /in it-IT, which the store listing does not have \(it has en-US, de-DE, pt-BR\)/,
  ],
  [{ default: 'Faster.' }, 'it-IT', /in it-IT, which/],
  [{ default: 'Faster.' }, null, /names no default language/],
  [{ 'de-DE': 'A', de_de: 'B' }, 'en-US', /two texts for de-DE/],
])('refuses %j with the default language %s', (given, defaultLanguage, message) => {
  expect(() => notesOf(given as Record<string, string>, defaultLanguage)).toThrow(message);
});
