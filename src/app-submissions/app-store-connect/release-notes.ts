import { refused } from '../calls/refusals/refusal.js';
import { combiningMarkIn, storeText } from '../calls/store-text.js';

/**
 * Locales of texts in App Store Connect, in Apple's spelling. Source: Apple's page "Managing metadata in your app by using
 * locale shortcodes", as of March 2026; fastlane pull request 29959 and Codemagic cli-tools pull request 495 have the same.
 */
export const appleLocales: readonly string[] = (
  'ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he hi hr hu id it ja kn-IN ko ' +
  'ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI sv ta-IN te-IN th tr uk ur-PK vi zh-Hans zh-Hant'
).split(' ');

const BY_KEY = new Map(appleLocales.map((locale) => [keyOf(locale), locale]));

/** Code points of the notes of one locale: https://developer.apple.com/help/app-store-connect/test-a-beta-version/. */
const MAX_LENGTH = 4000;

/** Where notes can be. */
export interface NoteLocales {
  /** Of the build and of the app in TestFlight. */
  readonly known: readonly string[];
  /** Gets `default` in any case, when it has no text; `null`: there is none. */
  readonly fallback: string | null;
}

/** Release notes for a version in the App Store. */
export interface VersionTexts {
  /** By locale of the version, in its spelling. */
  readonly texts: ReadonlyMap<string, string>;
  /** Locales of notes that the version does not have. Slipway adds none: each needs a description and the like as well. */
  readonly unknown: readonly string[];
}

/**
 * Notes for testers by locale, in Apple's spelling, as `storeText` makes them. `default` is for every locale that has no
 * text.
 *
 * @param given by locale, or `default`; `null`: there are none
 * @throws StoreRefusal when a locale has two texts, one is too long or has a combining mark, or `default` has no locale to go
 *   to
 */
export function toBetaNotes(
  given: Readonly<Record<string, string>> | null,
  { known, fallback }: NoteLocales,
): Map<string, string> {
  const spellings = new Map([...known, ...(fallback === null ? [] : [fallback])].map(withKey));
  const texts = new Map<string, string>();
  for (const [locale, words] of Object.entries(given ?? {})) {
    const text = storeText(words);
    if (locale === 'default' || text === '') continue;
    const spelling = spellings.get(keyOf(locale)) ?? locale;
    if (texts.has(spelling)) throw twice(spelling);
    texts.set(spelling, text);
  }
  const rest = storeText(given?.default ?? '');
  if (rest !== '') {
    const locales = [...spellings.values()];
    if (locales.length === 0) throw withoutLocale();
    for (const locale of locales) if (!texts.has(locale)) texts.set(locale, rest);
  }
  for (const [locale, text] of texts) {
    if ([...text].length > MAX_LENGTH) throw tooLong(locale);
    const mark = combiningMarkIn(text);
    if (mark !== null) throw unfit(locale, mark);
  }
  return texts;
}

/**
 * What's New of each locale of a version; `default` is for those without a text. The rules are those of notes
 * for testers.
 *
 * @param locales of the version
 * @param fallback gets `default` in any case, if the version has it; `null`: there is none
 * @throws StoreRefusal as `toBetaNotes`
 */
export function versionTexts(
  given: Readonly<Record<string, string>>,
  locales: readonly string[],
  fallback: string | null,
): VersionTexts {
  const has = (locale: string): boolean => locales.some((one) => one.toLowerCase() === locale.toLowerCase());
  const notes = toBetaNotes(given, {
    known: locales,
    fallback: fallback !== null && has(fallback) ? fallback : null,
  });
  return {
    texts: new Map([...notes].filter(([locale]) => has(locale))),
    unknown: [...notes.keys()].filter((locale) => !has(locale)),
  };
}

/** A locale in Apple's spelling: `de_de` is `de-DE`. @returns `null`: App Store Connect does not have it */
export function appleLocaleOf(locale: string): string | null {
  return BY_KEY.get(keyOf(locale)) ?? null;
}

/** What App Store Connect has for the language of a locale: `en-AU`, `en-CA`, `en-GB` and `en-US` for `en`. */
export function appleLocalesForLanguageOf(locale: string): string[] {
  return appleLocales.filter((known) => languageOf(known) === languageOf(locale));
}

function languageOf(locale: string): string {
  return keyOf(locale).split('-', 1)[0] ?? '';
}

function withKey(locale: string): [string, string] {
  return [keyOf(locale), locale];
}

function keyOf(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase();
}

function twice(locale: string): Error {
  return refused(
    'release_notes_ambiguous',
    `The release notes have two texts for ${locale.slice(0, 20)}. Leave one out and submit again.`,
  );
}

function withoutLocale(): Error {
  return refused(
    'default_language_unknown',
    'App Store Connect names no primary language of the app. Set defaultLanguage of the destination, or give the notes by locale; then submit again.',
  );
}

function tooLong(locale: string): Error {
  return refused(
    'release_notes_too_long',
    `The release notes in ${locale.slice(0, 20)} are longer than ${MAX_LENGTH.toLocaleString('en')} characters. Shorten them and submit again; a retry with the same notes does not help.`,
  );
}

function unfit(locale: string, mark: string): Error {
  return refused(
    'release_notes_refused',
    `The release notes in ${locale.slice(0, 20)} have the combining character ${mark}, which no letter has built in and Apple does not take. Write them without it and submit again; a retry with the same notes does not help.`,
  );
}
