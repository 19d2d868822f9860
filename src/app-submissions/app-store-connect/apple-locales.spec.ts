import { appleLocaleOf, appleLocales, appleLocalesForLanguageOf } from './apple-locales.js';

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
