/** Longest text that is read as a value, in characters. */
const MAX_VALUE = 200;

/** A plain value in a Gradle file, such as that of `applicationId "com.acme.shop"`. */
export interface GradleValue {
  /** Without quotes. */
  readonly text: string;
  /** Where it is, with its quotes. */
  readonly start: number;
  readonly end: number;
}

/**
 * A Gradle file, Groovy or Kotlin, whose comments are blank. Every character keeps its place. Takes time in proportion to
 * the length.
 */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length;) {
    const two = text.slice(at, at + 2);
    if (two === '//' || two === '/*') {
      const end = two === '//' ? endOf(text, '\n', at) : endOf(text, '*/', at + 2, 2);
      parts.push(text.slice(kept, at), text.slice(at, end).replaceAll(/[^\n]/g, ' '));
      kept = end;
      at = end;
    } else {
      at = text[at] === '"' || text[at] === "'" ? endOfString(text, at) : at + 1;
    }
  }
  return parts.join('') + text.slice(kept);
}

/**
 * The plain values that a property gets, in order: `name "x"`, `name = "x"` and `name("x")`. Variables and texts that are put
 * together are none.
 *
 * @param code without comments
 */
export function valuesOf(code: string, property: string): GradleValue[] {
  const pattern = new RegExp(
    `(?<![\\w$"'])${property}(?!\\w)[ \\t]{0,20}(?:=[ \\t]{0,20}|\\([ \\t]{0,20})?("[^"\\n\\\\$]{0,${MAX_VALUE}}"|'[^'\\n\\\\]{0,${MAX_VALUE}}'|\\d{1,10}(?![\\w.]))`,
    'g',
  );
  return [...code.matchAll(pattern)].map(({ 0: whole, 1: literal = '', index }) => ({
    text: literal.replace(/^["']|["']$/g, ''),
    start: index + whole.length - literal.length,
    end: index + whole.length,
  }));
}

/** A text as a literal. @param file whose language it is for */
export function gradleText(text: string, file: string): string {
  const escaped = text.replaceAll('\\', '\\\\');
  return file.endsWith('.kts')
    ? `"${escaped.replaceAll('"', '\\"').replaceAll('$', '\\$')}"`
    : `'${escaped.replaceAll("'", "\\'")}'`;
}

function endOfString(text: string, start: number): number {
  const quote = text[start] ?? '';
  const triple = quote.repeat(3);
  if (text.startsWith(triple, start)) return endOf(text, triple, start + 3, 3);
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
    // A string on one line ends there: a quote in a regular expression must not hide the rest of the file.
    else if (text[at] === '\n') return at;
  }
  return text.length;
}

function endOf(text: string, needle: string, from: number, length = 0): number {
  const found = text.indexOf(needle, from);
  return found === -1 ? text.length : found + length;
}
