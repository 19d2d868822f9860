import { refused } from '../../../calls/refusals/refusal.js';
import { combiningMarkIn, storeText } from '../../../calls/store-text.js';

/** Code points of the notes of one locale: https://developer.apple.com/help/app-store-connect/test-a-beta-version/. */
const MAX_LENGTH = 4000;

/** Where notes can be. */
export interface NoteLocales {
  /** Of the build and of the app in TestFlight. */
  readonly known: readonly string[];
  /** Gets `default` in any case, when it has no text; `null`: there is none. */
  readonly fallback: string | null;
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
