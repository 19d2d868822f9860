import { withAsciiDigits } from './decimal-digits.js';

/** Platforms whose native versions are compared. */
export type VersionedPlatform = 'android' | 'ios' | 'electron';

/** Sign of a comparison: negative, zero or positive as the first value is lower, equal or higher. */
export type Order = -1 | 0 | 1;

const DOTTED_DIGITS = /^\d+(?:\.\d+)*$/;
/** Numbers with fewer digits are exact. */
const EXACT_DIGITS = 16;

/**
 * A semantic version; its groups are the core and the pre-release.
 * Written after the grammar of SemVer 2.0.0, https://semver.org/spec/v2.0.0.html
 */
const SEMVER = (() => {
  const numeric = '(?:0|[1-9]\\d*)';
  const preRelease = `(?:${numeric}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
  const core = `(${numeric}\\.${numeric}\\.${numeric})`;
  return new RegExp(
    `^${core}(?:-(${preRelease}(?:\\.${preRelease})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
  );
})();

/** A text that was read as a version, to be compared often. */
export interface ReadVersion {
  readonly text: string;
  /** Its numbers from left to right, those behind the last one are 0; `null`: it does not compare to any version. */
  readonly numbers: readonly (number | bigint)[] | null;
  /** The identifiers of a pre-release, separated by dots; `null`: it is a release. */
  readonly preRelease: string | null;
}

/**
 * Reads a native version by the rules of a platform: dotted digits everywhere, and semantic versions on Electron, whose
 * apps report the version of their `package.json`. Digits of all scripts count by their value: some devices format numbers
 * in the language of the phone.
 */
export function readVersion(text: string, platform: VersionedPlatform): ReadVersion {
  const digits = withAsciiDigits(text);
  if (DOTTED_DIGITS.test(digits)) return { text, numbers: numbersOf(digits), preRelease: null };
  const match = platform === 'electron' ? SEMVER.exec(digits) : null;
  if (match === null) return { text, numbers: null, preRelease: null };
  return { text, numbers: numbersOf(match[1]!), preRelease: match[2] ?? null };
}

/**
 * Compares versions of one platform, by SemVer 2.0.0 precedence (section 11,
 * https://semver.org/spec/v2.0.0.html#spec-item-11). Dotted digits of any number of segments count as a release.
 *
 * @returns the order of the two, or null when they do not compare
 */
export function compareRead(a: ReadVersion, b: ReadVersion): Order | null {
  if (a.numbers === null || b.numbers === null) return null;
  return compareNumbers(a.numbers, b.numbers) || comparePreReleases(a.preRelease, b.preRelease);
}

/**
 * Whether a text is a version that compares to others, as people write it.
 *
 * @param text - any text
 * @param platform - platform whose rules apply
 * @returns true for dotted digits such as `10` or `1.0.5`, and on Electron also for semantic versions; false with digits of
 *   other scripts
 */
export function isVersion(text: string, platform: VersionedPlatform): boolean {
  return withAsciiDigits(text) === text && readVersion(text, platform).numbers !== null;
}

/** As `compareRead`, of two texts. */
export function compareVersions(a: string, b: string, platform: VersionedPlatform): Order | null {
  return compareRead(readVersion(a, platform), readVersion(b, platform));
}

/** As `compareRead`, of two semantic versions, such as those of plugins, or dotted digits. */
export function compareSemver(a: string, b: string): Order | null {
  return compareVersions(a, b, 'electron');
}

function numbersOf(dottedDigits: string): (number | bigint)[] {
  return dottedDigits.split('.').map(numberOf);
}

/** Version codes may have more digits than a number holds exactly. */
function numberOf(digits: string): number | bigint {
  return digits.length < EXACT_DIGITS ? Number(digits) : BigInt(digits);
}

function compareNumbers(a: readonly (number | bigint)[], b: readonly (number | bigint)[]): Order {
  for (let i = 0; i < a.length || i < b.length; i++) {
    const order = compare(a[i] ?? 0, b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** A pre-release precedes its release; its identifiers are compared from left to right. */
function comparePreReleases(a: string | null, b: string | null): Order {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareIdentifiers(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return compare(left.length, right.length);
}

/** Numbers are compared as numbers and precede words, which are compared in ASCII order. */
function compareIdentifiers(a: string, b: string): Order {
  const numericA = DOTTED_DIGITS.test(a);
  const numericB = DOTTED_DIGITS.test(b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return numericA ? compare(numberOf(a), numberOf(b)) : compare(a, b);
}

/** Compares texts, or numbers of any size: unlike `===`, these operators compare `1` and `1n` by value. */
function compare<T extends string | number | bigint>(a: T, b: T): Order {
  return a < b ? -1 : a > b ? 1 : 0;
}
