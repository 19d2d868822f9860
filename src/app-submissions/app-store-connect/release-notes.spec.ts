import {
  appleLocaleOf,
  appleLocales,
  appleLocalesForLanguageOf,
  toBetaNotes,
  versionTexts,
} from './release-notes.js';

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

it('has the 50 locales of App Store Connect, each once', () => {
  expect(new Set(appleLocales).size).toBe(50);
});

it.each([
  ['de-DE', 'de-DE'],
  ['de_de', 'de-DE'],
  ['ZH-HANS', 'zh-Hans'],
  ['ja', 'ja'],
  ['de', null],
  ['ja-JP', null],
  ['default', null],
  ['', null],
])('spells %s as Apple does: %s', (locale, spelled) => {
  expect(appleLocaleOf(locale)).toBe(spelled);
});

it.each([
  ['en', ['en-AU', 'en-CA', 'en-GB', 'en-US']],
  ['ja_JP', ['ja']],
  ['eo', []],
])('finds what there is for the language of %s', (locale, found) => {
  expect(appleLocalesForLanguageOf(locale)).toEqual(found);
});

describe("What's New of a version", () => {
  it('is in the languages of the version, and names the others', () => {
    const given = { default: 'All.', DE_de: 'Deutsch.', ja: 'Japanese.' };
    const { texts, unknown } = versionTexts(given, ['en-US', 'de-DE', 'fr-FR'], 'en-US');
    expect(Object.fromEntries(texts)).toEqual({ 'de-DE': 'Deutsch.', 'en-US': 'All.', 'fr-FR': 'All.' });
    expect(unknown).toEqual(['ja']);
  });

  it('is in no language that only the destination names', () => {
    const { texts, unknown } = versionTexts({ default: 'All.' }, ['en-US'], 'de-DE');
    expect([...texts.keys()]).toEqual(['en-US']);
    expect(unknown).toEqual([]);
  });
});
