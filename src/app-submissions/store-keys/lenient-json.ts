/** Or the beginning of one: what looked for each of its ends would take long. */
const STRING = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)/.source;
/** What a form adds around strings: commas before an end, and line breaks that are written out. */
const ADDED = new RegExp(`${STRING}|,(?=\\s*(?:[}\\]]|$))|\\\\{1,8}[nrt]`, 'gs');

/**
 * Parses JSON that went through a form or a variable: with a comma too many, with real line breaks within strings, with line
 * breaks that are written as `\n` between them, or as one string of JSON.
 *
 * @throws SyntaxError when it is something else
 */
export function parseLenientJson(text: string): unknown {
  const value = parse(text);
  return typeof value === 'string' && /^\s*\{/.test(value) ? parse(value) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.replace(ADDED, (part) => (part.startsWith('"') ? escaped(part) : '')));
  }
}

/** Line breaks and tabs as strings of JSON have them. */
function escaped(string: string): string {
  return string.replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
