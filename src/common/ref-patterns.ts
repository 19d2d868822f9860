import picomatch from 'picomatch';

/** Most patterns of one object. */
export const MAX_REF_PATTERNS = 20;
export const MAX_REF_PATTERN_LENGTH = 100;
/** A pattern is matched by backtracking: each `*` multiplies the time by the length of the ref. */
const MAX_STARS = 3;
/** Longest ref that is compared, in characters. */
const MAX_REF_LENGTH = 255;

/** No whitespace, and nothing that means more than `*` and `?`: sets, braces, groups, negation, escapes. */
const PATTERN = /^[^\s\p{C}()[\]{}|!\\]+$/u;
/** What the full names of branches begin with. */
export const BRANCHES = 'refs/heads/';
/** What the full names of tags begin with. */
export const TAGS = 'refs/tags/';

/** Whether the text is a pattern of branches and tags that can be matched quickly. */
export function isRefPattern(text: string): boolean {
  return (
    text.length <= MAX_REF_PATTERN_LENGTH &&
    PATTERN.test(text) &&
    (text.match(/\*+/g) ?? []).length <= MAX_STARS
  );
}

/** Whether the pattern says itself what it is for. Others mean branches. */
export function isQualified(pattern: string): boolean {
  return pattern.startsWith('refs/');
}

/**
 * Whether a branch or tag is among the patterns. `*` matches any characters except slashes, `**` any characters, and
 * `?` one. A pattern that begins with `refs/` is compared with the whole ref, others with the name of a branch: tags
 * are easier to create than protected branches, so `main` does not mean a tag.
 *
 * @param patterns none: everything matches
 * @param ref in full, such as `refs/heads/main` or `refs/tags/v1.2.0`; everything else, also `null`, is no branch or
 * tag
 */
export function matchesRef(patterns: readonly string[], ref: string | null): boolean {
  return refMatcher(patterns)(ref);
}

/** As `matchesRef`, for many refs: the patterns are prepared once. */
export function refMatcher(patterns: readonly string[]): (ref: string | null) => boolean {
  if (patterns.length === 0) return () => true;
  const prepared = patterns.map((pattern) => ({
    isWhole: isQualified(pattern),
    matches: matcherOf(pattern),
  }));
  return (ref) => {
    if (ref === null || ref.length > MAX_REF_LENGTH || !isQualified(ref)) return false;
    const branch = ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null;
    return prepared.some(({ isWhole, matches }) => {
      const compared = isWhole ? ref : branch;
      return compared !== null && matches(compared);
    });
  };
}

/**
 * Whether a text matches a pattern in which `*` matches any characters and `?` one. It takes at most as many steps as both
 * lengths multiplied.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  let [atPattern, atText] = [0, 0];
  let [afterStar, startOfRest] = [-1, 0];
  while (atText < text.length) {
    const expected = pattern[atPattern];
    if (expected === '*') {
      afterStar = ++atPattern;
      startOfRest = atText;
    } else if (expected === '?' || (expected !== undefined && expected === text[atText])) {
      atPattern++;
      atText++;
    } else if (afterStar >= 0) {
      // The star takes one character more.
      atPattern = afterStar;
      atText = ++startOfRest;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(atPattern));
}

/**
 * A pattern that allows a ref, and tags like it: `refs/tags/v*` for `refs/tags/v1.2.0`.
 *
 * @returns `null`: it is no branch or tag, or has characters that patterns cannot have
 */
export function patternFor(ref: string | null): string | null {
  if (ref === null || !isQualified(ref)) return null;
  const tags = /^refs\/tags\/\D*[^\d/](?=\d)/.exec(ref)?.[0];
  const pattern = tags === undefined ? ref : `${tags}*`;
  return isRefPattern(pattern) && matchesRef([pattern], ref) ? pattern : null;
}

function matcherOf(pattern: string): (ref: string) => boolean {
  return picomatch(pattern, { dot: true, nonegate: true, noextglob: true, nobrace: true, nobracket: true });
}
