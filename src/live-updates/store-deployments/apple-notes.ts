import {
  appleLocaleOf,
  appleLocalesForLanguageOf,
} from '../../app-submissions/app-store-connect/release-notes.js';
import { combiningMarkIn } from '../../app-submissions/calls/store-text.js';
import { invalidField } from '../../common/errors/app-error.js';
import type { AppleDestination } from './submittable-destination.js';

const DEFAULT = 'default';
/** As Unicode lists them: © and ✓ are none. The compiler knows no flag `v` yet. */
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'v');

/**
 * What App Store Connect refuses of notes, besides long ones: other locales than its own, `<`, emoji, and combining marks
 * that no letter has built in.
 *
 * @throws InvalidRequestError naming the locale
 */
export function requireAppleNotes(
  { defaultLanguage }: AppleDestination,
  notes: Readonly<Record<string, string>>,
): void {
  const spelled = new Map<string, string>();
  for (const [key, text] of Object.entries(notes)) {
    const locale = key === DEFAULT ? DEFAULT : appleLocaleOf(key);
    if (locale === null) throw unfit(`${key} must be for a locale of App Store Connect: ${instead(key)}.`);
    const other = spelled.get(locale);
    if (other !== undefined)
      throw unfit(`${key} must be absent: ${other} is for the same locale, ${locale}.`);
    spelled.set(locale, key);
    if (text.includes('<'))
      throw unfit(`${key} must not have the character <: App Store Connect refuses it.`);
    const [emoji] = EMOJI.exec(text) ?? [];
    if (emoji !== undefined) {
      throw unfit(`${key} must not have emoji, such as ${emoji}: App Store Connect refuses them.`);
    }
    const mark = combiningMarkIn(text);
    if (mark !== null)
      throw unfit(`${key} must not have the combining character ${mark}: App Store Connect refuses it.`);
  }
  if (defaultLanguage !== null && DEFAULT in notes && appleLocaleOf(defaultLanguage) === null) {
    throw invalidField(
      'appDestinationId',
      `appDestinationId must be a destination whose defaultLanguage is a locale of App Store Connect: ${instead(defaultLanguage)}.`,
    );
  }
}

function instead(locale: string): string {
  const known = appleLocalesForLanguageOf(locale);
  return known.length === 0
    ? `it has none for the language of ${locale}`
    : `use ${known.join(' or ')}, not ${locale}`;
}

function unfit(what: string): Error {
  return invalidField('releaseNotes', `releaseNotes.${what}`);
}
