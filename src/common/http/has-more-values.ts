const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text holds more than so many values and keys, found out without building any of them: `JSON.parse`
 * makes 500 MB and seconds without any other request out of 20 MB of `[{},{},…`.
 *
 * @param text may also be no JSON; then the result says nothing, but comes as fast
 */
export function hasMoreValues(text: string, max: number): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if ((code === COMMA || code === BRACKET || code === BRACE) && ++values > max) return true;
  }
  return false;
}

/** @returns the position of the quote that ends the string; -1: none does */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
