import type { GitRepository, RepositoryFilter } from './git-provider.js';

/** The repositories that the filter wants, by path. For providers that cannot filter, or only in part. */
export function filtered(
  repositories: readonly (GitRepository | null)[],
  { namespace, query }: RepositoryFilter,
): GitRepository[] {
  const owner = namespace?.toLowerCase();
  const text = query?.toLowerCase();
  return repositories
    .filter((repository) => repository !== null)
    .filter((repository) => owner === undefined || repository.namespace.toLowerCase() === owner)
    .filter(({ path }) => text === undefined || path.toLowerCase().includes(text))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** `acme/mobile/shop` is the repository `shop` of `acme/mobile`. */
export function splitPath(path: string): { namespace: string; name: string } {
  const end = path.lastIndexOf('/');
  return { namespace: path.slice(0, Math.max(0, end)), name: path.slice(end + 1) };
}
