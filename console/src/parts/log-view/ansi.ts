/** A part of a line in one colour. */
export interface Span {
  readonly text: string;
  /** Name of a class of look.css, such as `ansi-red`; empty: as all text. */
  readonly color: string;
  readonly isBold: boolean;
}

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

const ESCAPE = '\u001B';
/** A sequence for colours; and what else begins like one, which is never shown. */
const SEQUENCE = new RegExp(String.raw`${ESCAPE}(?:\[([\d;:]*)m|\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])?`, 'g');
/** Parts of a line that have colours of their own; what follows has the last one. */
const MOST_SPANS = 60;

/** A line without its sequences for colours. */
export const plain = (text: string): string => (text.includes(ESCAPE) ? text.replace(SEQUENCE, '') : text);

/** Reads the foreground colours and bold of a line; grounds and everything else of a terminal are left out. */
export function spansOf(text: string): Span[] {
  if (!text.includes(ESCAPE)) return text === '' ? [] : [{ text, color: '', isBold: false }];
  const spans: Span[] = [];
  let style = { color: '', isBold: false };
  let from = 0;
  const add = (part: string): void => {
    const last = spans.at(-1);
    if (part === '') return;
    const isSame = last?.color === style.color && last.isBold === style.isBold;
    if (last !== undefined && (isSame || spans.length >= MOST_SPANS)) {
      spans[spans.length - 1] = { ...last, text: last.text + part };
    } else spans.push({ text: part, ...style });
  };
  for (const found of text.matchAll(SEQUENCE)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[1] !== undefined) style = styled(style, found[1]);
  }
  add(text.slice(from));
  return spans;
}

type Style = Omit<Span, 'text'>;

/** A style after the numbers of a sequence. */
function styled(before: Style, numbers: string): Style {
  let { color, isBold } = before;
  const codes = numbers.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index]!;
    if (code === 0) [color, isBold] = ['', false];
    else if (code === 1) isBold = true;
    else if (code === 22) isBold = false;
    else if (code >= 30 && code <= 37) color = nameOf(code - 30);
    else if (code >= 90 && code <= 97) color = nameOf(code - 90 + 8);
    else if (code === 39) color = '';
    else if (code === 38 || code === 48) {
      const isIndexed = codes[index + 1] === 5;
      if (code === 38) color = isIndexed ? nameOf(codes[index + 2] ?? -1) : '';
      index += isIndexed ? 2 : 4;
    }
  }
  return { color, isBold };
}

/** The class of a colour by its number. Black, white and those beyond the first sixteen are as all text. */
function nameOf(index: number): string {
  if (index === 8) return 'ansi-grey';
  const name = index >= 0 && index < 16 ? colors[index % 8] : undefined;
  return name === undefined || name === 'black' || name === 'white' ? '' : `ansi-${name}`;
}

/** A span, and whether it is what was searched for. */
export interface MarkedSpan extends Span {
  readonly isHit: boolean;
}

/** Marks a text in spans, ignoring case; it may cross their borders. @param wanted empty: nothing is marked */
export function marked(spans: readonly Span[], wanted: string): MarkedSpan[] {
  const all = spans.map(({ text }) => text).join('');
  const [where, what] = [all.toLowerCase(), wanted.toLowerCase()];
  // Some letters become two in lower case: then the places are others.
  if (what === '' || where.length !== all.length || !where.includes(what))
    return spans.map((span) => ({ ...span, isHit: false }));
  const borders: number[] = [];
  for (
    let at = where.indexOf(what);
    at >= 0 && borders.length < 2 * MOST_SPANS;
    at = where.indexOf(what, at + what.length)
  )
    borders.push(at, at + what.length);
  const result: MarkedSpan[] = [];
  let start = 0;
  let next = 0;
  for (const span of spans) {
    let from = 0;
    while (from < span.text.length) {
      while (next < borders.length && borders[next]! <= start + from) next += 1;
      const to = Math.min(span.text.length, (borders[next] ?? Infinity) - start);
      result.push({ ...span, text: span.text.slice(from, to), isHit: next % 2 === 1 });
      from = to;
    }
    start += span.text.length;
  }
  return result;
}
