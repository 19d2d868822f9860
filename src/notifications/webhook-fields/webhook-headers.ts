/** Custom headers of one webhook, at most. */
export const MAX_HEADERS = 10;
/** Longest name, in characters. */
const MAX_NAME_LENGTH = 100;
/** Longest value, in characters. */
const MAX_VALUE_LENGTH = 1000;

/** A token of RFC 9110, 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces between. Others have no meaning in headers that all receivers agree on (RFC 9110, 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that belong to the connection (RFC 9110, 7.6.1) or to the message, and those that Slipway sends itself. */
const RESERVED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|accept-encoding|user-agent|content-.*|webhook-.*|x-capawesome-.*)$/;

/**
 * What is wrong with the custom headers of a webhook.
 *
 * @param headers anything; a valid value is an object of names and values
 * @returns a sentence that names the field; `null`: nothing
 */
export function headersProblem(headers: unknown): string | null {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return 'headers must be an object of names and values.';
  }
  const entries: [string, unknown][] = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `headers must hold at most ${MAX_HEADERS} headers.`;
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  if (names.size < entries.length) return 'headers must hold each name once; case makes no difference.';
  for (const [name, value] of entries) {
    if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
      return `headers must have names of 1 to ${MAX_NAME_LENGTH} letters, digits and hyphens.`;
    }
    if (RESERVED.test(name.toLowerCase())) return reservedHeader(name);
    if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || !VALUE.test(value)) {
      return `headers must have values of 1 to ${MAX_VALUE_LENGTH} printable ASCII characters, without spaces at the ends: ${name} has not.`;
    }
  }
  return null;
}

/** The sentence about a header that only Slipway sets. @param name valid */
export function reservedHeader(name: string): string {
  return `headers must not hold ${name}: Slipway sets it, or it belongs to the connection.`;
}
