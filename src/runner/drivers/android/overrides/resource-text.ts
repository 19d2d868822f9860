import { xmlText } from '../../../steps/overrides/xml-text.js';

/**
 * A text as a string resource of Android, where a backslash, quotes, and "@" or "?" at the beginning mean something, and spaces
 * are joined.
 */
export function resourceText(text: string): string {
  const escaped = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\"']/g, '\\$&')
    .replace(/^[@?]/, '\\$&');
  return xmlText(escaped);
}
