import type { NewPlayRelease } from '../api/google-play-responses.js';
import { refused } from '../../calls/refusals/refused.js';
import { nearMiss } from '../../calls/near-miss.js';
import { storeText } from '../../calls/store-text.js';

/** Code points of the notes of one locale. Google names the number, but not the unit. */
const MAX_LENGTH = 500;

/** The notes of a release, and the languages of the listing that get none. */
export interface PlayNotes {
  readonly notes: NonNullable<NewPlayRelease['releaseNotes']>;
  readonly missing: readonly string[];
}

/**
 * Notes by language, in the spelling of the store listing, as `storeText` makes them.
 *
 * @param given by locale; `default` is for the default language, unless that one has notes
 * @param languages of the listing
 * @throws StoreRefusal when a locale is not in the listing, twice in the notes, or its text too long
 */
export function toPlayNotes(
  given: Readonly<Record<string, string>> | null,
  defaultLanguage: string | null,
  languages: readonly string[],
): PlayNotes {
  const known = new Map(languages.map((language) => [keyOf(language), language]));
  const texts = new Map<string, string>();
  for (const [locale, words] of Object.entries(given ?? {})) {
    const text = storeText(words);
    if (locale === 'default' || text === '') continue;
    const language = languageOf(locale, known);
    if (texts.has(language)) throw twice(language);
    texts.set(language, text);
  }
  const fallback = storeText(given?.default ?? '');
  if (fallback !== '') {
    if (defaultLanguage === null) throw withoutDefault();
    const language = languageOf(defaultLanguage, known);
    if (!texts.has(language)) texts.set(language, fallback);
  }
  for (const [language, text] of texts) if ([...text].length > MAX_LENGTH) throw tooLong(language);
  return {
    notes: [...texts].map(([language, text]) => ({ language, text })),
    missing: languages.filter((language) => !texts.has(language)),
  };
}

function keyOf(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase();
}

function languageOf(locale: string, known: ReadonlyMap<string, string>): string {
  const language = known.get(keyOf(locale));
  if (language !== undefined) return language;
  const listed = [...known.values()];
  const names = listed.join(', ').slice(0, 80);
  const has = nearMiss(locale, listed) ?? `it has ${names === '' ? 'none' : names}`;
  throw refused(
    'language_not_listed',
    `The release notes are in ${locale.slice(0, 20)}, which the store listing does not have (${has}). Add the language to the listing in the Play Console, or leave these notes out; then submit again.`,
    { retry: 'after-action' },
  );
}

function twice(language: string): Error {
  return refused(
    'release_notes_ambiguous',
    `The release notes have two texts for ${language}. Leave one out and submit again.`,
  );
}

function withoutDefault(): Error {
  return refused(
    'default_language_unknown',
    'Google Play names no default language of the app. Set defaultLanguage of the destination, or give the notes by locale; then submit again.',
  );
}

function tooLong(language: string): Error {
  return refused(
    'release_notes_too_long',
    `The release notes in ${language} are longer than ${MAX_LENGTH} characters. Shorten them and submit again; a retry with the same notes does not help.`,
  );
}
