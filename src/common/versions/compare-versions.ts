/** Platforms whose native versions are compared. */
export type VersionedPlatform = 'android' | 'ios' | 'electron';

/** Sign of a comparison: negative, zero or positive as the first value is lower, equal or higher. */
export type Order = -1 | 0 | 1;

const DOTTED_DIGITS = /^\d+(?:\.\d+)*$/;

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

/**
 * Whether a text is a version that compares to others.
 *
 * @param text - any text
 * @param platform - platform whose rules apply
 * @returns true for dotted digits such as `10` or `1.0.5`, and on Electron also for semantic versions
 */
export function isVersion(text: string, platform: VersionedPlatform): boolean {
  return DOTTED_DIGITS.test(text) || (platform === 'electron' && SEMVER.test(text));
}

/**
 * Compares two native versions by the rules of a platform: dotted digits everywhere, and semantic versions
 * on Electron, whose apps report the version of their `package.json`.
 *
 * @param a - first version
 * @param b - second version
 * @param platform - platform whose rules apply
 * @returns the order of the two, or null when they do not compare
 */
export function compareVersions(a: string, b: string, platform: VersionedPlatform): Order | null {
  if (platform === 'electron') return compareSemver(a, b);
  return DOTTED_DIGITS.test(a) && DOTTED_DIGITS.test(b) ? compareDottedDigits(a, b) : null;
}

/**
 * Compares by SemVer 2.0.0 precedence (section 11, https://semver.org/spec/v2.0.0.html#spec-item-11).
 * Dotted digits of any number of segments count as a release, missing segments as 0.
 *
 * @param a - first version
 * @param b - second version
 * @returns the order of the two, or null when one of them is neither dotted digits nor a semantic version
 */
export function compareSemver(a: string, b: string): Order | null {
  const left = parse(a);
  const right = parse(b);
  if (left === null || right === null) return null;
  return compareDottedDigits(left.core, right.core) || comparePreReleases(left.preRelease, right.preRelease);
}

function parse(version: string): { core: string; preRelease: string | null } | null {
  if (DOTTED_DIGITS.test(version)) return { core: version, preRelease: null };
  const match = SEMVER.exec(version);
  return match === null ? null : { core: match[1]!, preRelease: match[2] ?? null };
}

/** Works on the strings, because version codes may have more digits than a number holds exactly. */
function compareDottedDigits(a: string, b: string): Order {
  let startA = 0;
  let startB = 0;
  while (startA < a.length || startB < b.length) {
    const endA = segmentEnd(a, startA);
    const endB = segmentEnd(b, startB);
    const order = compareDigits(a.slice(startA, endA), b.slice(startB, endB));
    if (order !== 0) return order;
    startA = endA + 1;
    startB = endB + 1;
  }
  return 0;
}

function segmentEnd(version: string, start: number): number {
  const dot = version.indexOf('.', start);
  return dot === -1 ? version.length : dot;
}

/** Without leading zeros the longer number is the higher one; an empty string counts as 0. */
function compareDigits(a: string, b: string): Order {
  const digitsA = withoutLeadingZeros(a);
  const digitsB = withoutLeadingZeros(b);
  if (digitsA.length !== digitsB.length) return digitsA.length < digitsB.length ? -1 : 1;
  return compareText(digitsA, digitsB);
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === 0x30) start++;
  return start === 0 ? digits : digits.slice(start);
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
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

/** Numbers are compared as numbers and precede words, which are compared in ASCII order. */
function compareIdentifiers(a: string, b: string): Order {
  const numericA = DOTTED_DIGITS.test(a);
  const numericB = DOTTED_DIGITS.test(b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return numericA ? compareDigits(a, b) : compareText(a, b);
}

function compareText(a: string, b: string): Order {
  return a === b ? 0 : a < b ? -1 : 1;
}
