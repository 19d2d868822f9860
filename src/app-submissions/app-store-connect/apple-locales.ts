/**
 * Locales of texts in App Store Connect, in Apple's spelling. Source: Apple's page "Managing metadata in your app by using
 * locale shortcodes", as of March 2026; fastlane pull request 29959 and Codemagic cli-tools pull request 495 have the same.
 */
export const appleLocales: readonly string[] = (
  'ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he hi hr hu id it ja kn-IN ko ' +
  'ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI sv ta-IN te-IN th tr uk ur-PK vi zh-Hans zh-Hant'
).split(' ');

const BY_KEY = new Map(appleLocales.map((locale) => [keyOf(locale), locale]));

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

function keyOf(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase();
}
