/** A whole commit id: SHA-1, or SHA-256. */
export const COMMIT_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const ABBREVIATED = /^[0-9a-f]{7,39}$/;

/** What git does not allow in the name of a branch or tag: https://git-scm.com/docs/git-check-ref-format */
const FORBIDDEN = /[\p{C}\p{Z}~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|^[-/.]|[/.]$|^@$/u;

/** Longest name of a ref, in characters. */
const MAX_LENGTH = 250;

/** What a text may name in a repository. */
export type ParsedRef =
  /** A commit, by its whole id. */
  | { readonly kind: 'commit'; readonly sha: string }
  /** The first of these refs that exists; with `abbreviation`, else the commit that begins so. */
  | { readonly kind: 'names'; readonly names: readonly string[]; readonly abbreviation: string | null };

/**
 * Reads a branch, a tag or a commit id. A branch goes before a tag of the same name; `refs/heads/…` and `refs/tags/…` are
 * exact.
 *
 * @returns what it may name, or one sentence about what is wrong
 */
export function parseRef(text: string): ParsedRef | string {
  const lower = text.toLowerCase();
  if (COMMIT_ID.test(lower)) return { kind: 'commit', sha: lower };
  if (text === '' || text.length > MAX_LENGTH) return `A git ref must be 1 to ${MAX_LENGTH} characters long.`;
  if (FORBIDDEN.test(text)) return 'The git ref is not a valid name of a branch, tag or commit.';
  if (text === 'HEAD' || /^refs\/(heads|tags)\/./.test(text)) {
    return { kind: 'names', names: [text], abbreviation: null };
  }
  if (text === 'refs' || text.startsWith('refs/')) {
    // Anyone can open a pull request, also with code that takes the secrets of a build.
    return 'Only branches, tags and commits can be built, not other refs such as those of pull requests.';
  }
  const names = [`refs/heads/${text}`, `refs/tags/${text}`];
  return { kind: 'names', names, abbreviation: ABBREVIATED.test(lower) ? lower : null };
}
