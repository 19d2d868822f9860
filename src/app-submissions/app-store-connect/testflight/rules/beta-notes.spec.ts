import { toBetaNotes } from './beta-notes.js';

const locales = { known: ['en-US', 'de-DE'], fallback: 'fr-FR' };

const notes = (given: Record<string, string> | null, where = locales) =>
  Object.fromEntries(toBetaNotes(given, where));

it('gives default to every locale that has no text of its own', () => {
  expect(notes({ default: 'Faster.', 'de-DE': 'Schneller.' })).toEqual({
    'en-US': 'Faster.',
    'de-DE': 'Schneller.',
    'fr-FR': 'Faster.',
  });
});

it('writes only the given locales without a default, in the spelling of Apple', () => {
  expect(notes({ de_de: 'Schneller.', 'it-IT': 'Più veloce.', default: ' ' })).toEqual({
    'de-DE': 'Schneller.',
    'it-IT': 'Più veloce.',
  });
  expect(notes(null)).toEqual({});
});

it('refuses two texts for one locale, a default for no locale, and what is too long', () => {
  expect(() => notes({ de_de: 'a', 'de-DE': 'b' })).toThrow('two texts for de-DE');
  const nowhere = { known: [], fallback: null };
  expect(() => toBetaNotes({ default: 'a' }, nowhere)).toThrow('Set defaultLanguage');
  expect(() => notes({ 'de-DE': 'x'.repeat(4001) })).toThrow('longer than 4,000');
  expect(notes({ 'de-DE': '𝓍'.repeat(4000) })).toHaveProperty('de-DE');
});

it('sends composed texts, and refuses a combining mark that remains, by its number', () => {
  expect(notes({ 'de-DE': '\uFEFFscho\u0308n\u200B' })).toEqual({ 'de-DE': 'schön' });
  expect(() => notes({ 'de-DE': 'k\u0306' })).toThrow(
    'in de-DE have the combining character U+0306 after "k"',
  );
  expect(() => notes({ default: 'k\u0306' })).toThrow('in en-US have the combining character U+0306');
});

it('sends texts without blank ends, and with the line ends of Apple', () => {
  const notes = toBetaNotes(
    { 'en-US': ' One\r\ntwo\n', default: '\r\n' },
    { known: ['de-DE'], fallback: null },
  );
  expect([...notes]).toEqual([['en-US', 'One\ntwo']]);
});
