import { toBetaNotes } from '../../testflight/rules/beta-notes.js';

/** Release notes for a version in the App Store. */
export interface VersionTexts {
  /** By locale of the version, in its spelling. */
  readonly texts: ReadonlyMap<string, string>;
  /** Locales of notes that the version does not have. Slipway adds none: each needs a description and the like as well. */
  readonly unknown: readonly string[];
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
