/**
 * The raw value of a query parameter, still percent-encoded.
 *
 * @param url a request target such as `/path?a=1`
 * @returns `null` when the parameter is absent, a bare key (`?name`) or empty
 */
export function rawQueryValue(url: string, name: string): string | null {
  const start = url.indexOf('?');
  if (start === -1) return null;
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals) === name) return pair.slice(equals + 1) || null;
  }
  return null;
}

/**
 * What a raw value of a device's query may mean, most likely first. Most clients write a space as `+`, but iOS leaves a
 * plus sign unencoded, so a value with `+` has two readings.
 *
 * @throws URIError when the value is not percent-encoded UTF-8
 */
export function readingsOf(raw: string): string[] {
  const literal = decodeURIComponent(raw);
  return raw.includes('+') ? [decodeURIComponent(raw.replaceAll('+', ' ')), literal] : [literal];
}
