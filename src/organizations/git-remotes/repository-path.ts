/** Longest path of a repository, in characters. */
export const MAX_PATH_LENGTH = 500;

/**
 * The path of a repository below its server, such as `acme/shop`: without slashes around it, without `.git` unless the
 * server needs it.
 *
 * @param keepsSuffix whether `.git` at the end belongs to the path
 * @returns `null` when it is no path, or could lead elsewhere
 */
export function parseRepositoryPath(text: string, keepsSuffix: boolean): string | null {
  const trimmed = text.trim().replace(/^\/+|\/+$/g, '');
  const path = keepsSuffix ? trimmed : trimmed.replace(/\.git$/, '');
  if (path === '' || path.length > MAX_PATH_LENGTH || /[\p{C}\\?#%]/u.test(path)) return null;
  return path.split('/').some((part) => part === '' || part === '.' || part === '..') ? null : path;
}
