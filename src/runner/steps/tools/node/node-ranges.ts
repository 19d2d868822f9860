/** Major, minor, patch. */
type Numbers = readonly [number, number, number];

/** From one version to below another. */
interface Bounds {
  readonly from: Numbers;
  readonly below: Numbers;
}

/** Versions of Node.js: those within one of these bounds. */
export type NodeRange = readonly Bounds[];

const ANY: Bounds = { from: [0, 0, 0], below: [Infinity, 0, 0] };

/** An operator and a version, of which the last parts may be absent or `x`. Tags of pre-releases do not count. */
const COMPARATOR =
  /^(>=|<=|>|<|=|~>|~|\^|)v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:[-+][\w.+-]*)?$/;

/**
 * Reads a range as package.json has them, such as `^22.12.0 || >=24` or `22.x`.
 *
 * @returns `null`: it is none
 */
export function parseRange(text: string): NodeRange | null {
  const all = text.split('||').map(parseBounds);
  return all.every((bounds) => bounds !== null) ? all : null;
}

/** Whether a version is in the range. @param version such as `22.11.0` */
export function isIn(version: string, range: NodeRange): boolean {
  const numbers = numbersOf(version);
  return range.some(({ from, below }) => compare(from, numbers) <= 0 && compare(numbers, below) < 0);
}

/** Whether a version fits what a package asks for. @param text a range; what cannot be read fits */
export function fits(version: string, text: string | null): boolean {
  const range = text === null ? null : parseRange(text);
  return range === null || isIn(version, range);
}

/** The newest of those in the range. */
export function newestIn<T extends { readonly version: string }>(
  all: readonly T[],
  range: NodeRange,
): T | undefined {
  return all
    .filter(({ version }) => isIn(version, range))
    .toSorted((a, b) => compare(numbersOf(b.version), numbersOf(a.version)))[0];
}

function parseBounds(text: string): Bounds | null {
  const joined = text
    .trim()
    .replaceAll(/\s+-\s+/g, ' - ')
    .replaceAll(/([<>=~^])\s+/g, '$1');
  const [first = '', dash, last = ''] = joined.split(' ');
  const words =
    dash === '-' ? [`>=${first}`, `<=${last}`] : joined.split(/\s+/).filter((word) => word !== '');
  let bounds = ANY;
  for (const word of words) {
    const next = parseComparator(word);
    if (next === null) return null;
    bounds = {
      from: compare(next.from, bounds.from) > 0 ? next.from : bounds.from,
      below: compare(next.below, bounds.below) < 0 ? next.below : bounds.below,
    };
  }
  return bounds;
}

function parseComparator(word: string): Bounds | null {
  const match = COMPARATOR.exec(word);
  if (match === null) return null;
  const [, operator = '', ...parts] = match;
  const given = parts.map((part) => (part === undefined || !/^\d/.test(part) ? null : Number(part)));
  const [major, minor = null, patch = null] = given;
  if (major === undefined || major === null) return ANY;
  const from: Numbers = [major, minor ?? 0, patch ?? 0];
  const nextMajor: Numbers = [major + 1, 0, 0];
  const nextMinor: Numbers = minor === null ? nextMajor : [major, minor + 1, 0];
  /** The first version behind all that the text names. */
  const next: Numbers = minor === null || patch === null ? nextMinor : [major, minor, patch + 1];
  if (operator === '>=') return { ...ANY, from };
  if (operator === '>') return { ...ANY, from: next };
  if (operator === '<') return { ...ANY, below: from };
  if (operator === '<=') return { ...ANY, below: next };
  if (operator === '^') return { from, below: nextMajor };
  return { from, below: operator.startsWith('~') ? nextMinor : next };
}

/** @param version such as `22.11.0` */
function numbersOf(version: string): Numbers {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
}

function compare(a: Numbers, b: Numbers): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
