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
/** SHA-1 or SHA-256. */
const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;
const BRANCH_OR_TAG = /^refs\/(heads|tags)\//;

/** Whether the text is a pattern of branches and tags that can be matched quickly. */
export function isRefPattern(text: string): boolean {
  return (
    text.length <= MAX_REF_PATTERN_LENGTH &&
    PATTERN.test(text) &&
    (text.match(/\*+/g) ?? []).length <= MAX_STARS
  );
}

/**
 * Whether a branch or tag is among the patterns. `*` stands for any characters but slashes, `**` for any, `?` for one. A
 * pattern that begins with `refs/heads/` or `refs/tags/` matches only refs of that kind that are given in full.
 *
 * @param patterns none: everything matches
 * @param ref such as `main`, `v1.2.0`, `refs/heads/main`; a commit or `null` is no branch or tag
 */
export function matchesRef(patterns: readonly string[], ref: string | null): boolean {
  if (patterns.length === 0) return true;
  if (ref === null || ref.length > MAX_REF_LENGTH || COMMIT.test(ref)) return false;
  const name = ref.replace(BRANCH_OR_TAG, '');
  return patterns.some((pattern) => matcherOf(pattern)(pattern.startsWith('refs/') ? ref : name));
}

function matcherOf(pattern: string): (ref: string) => boolean {
  return picomatch(pattern, { dot: true, nonegate: true, noextglob: true, nobrace: true, nobracket: true });
}
