import { JsonValue } from '../../../../common/json/json-value.js';
import { maskPrivate } from '../../store-calls/mask-private.js';
import { pageText } from '../../store-calls/page-text.js';
import { parseJson } from '../../store-calls/parse-json.js';

/** What an answer of Google says, for people and for the search. */
export interface GoogleError {
  /** One line without e-mail addresses and secrets; `null`: nothing readable. */
  readonly message: string | null;
  /** Message, status and reasons, in lower case. */
  readonly searched: string;
}

/**
 * Reads `{error: {code, status, message, errors: [{reason}], details: [{reason}]}}`, or anything else.
 *
 * @param text the body of an answer
 */
export function readGoogleError(text: string): GoogleError {
  const error = parseJson(text)?.get('error') ?? new JsonValue(undefined);
  const nested = [...error.get('errors').items, ...error.get('details').items].slice(0, 100);
  const parts = [
    error.get('message').text,
    error.get('status').text,
    ...nested.flatMap((item) => [item.get('reason').text, item.get('message').text]),
  ].filter((part) => part !== null);
  const said = parts[0] ?? null;
  const other = said ?? pageText(text);
  return {
    message: other === null ? null : maskPrivate(other),
    searched: (parts.length > 0 ? parts.join('\n') : (other ?? '')).toLowerCase(),
  };
}
