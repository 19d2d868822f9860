import { cloudHostOf, type RemoteAddress } from '../git-remotes/remote-url.js';
import { parseRepositoryPath } from '../git-remotes/repository-path.js';
import type { GitAccess } from '../git-providers/git-provider.js';
import type { GitProvider } from './git-connection.entity.js';

/**
 * The path of a remote's repository as a server knows it.
 *
 * @returns `null` when the remote is at another server
 */
export function pathAtServer(
  { provider, baseUrl }: Pick<GitAccess, 'provider' | 'baseUrl'>,
  remote: RemoteAddress,
): string | null {
  const base = baseUrl === null ? null : new URL(baseUrl);
  const host = base === null ? cloudHostOf(provider) : base.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host !== remote.host.replace(/^\[(.*)\]$/, '$1')) return null;
  const prefix = base === null ? '' : base.pathname.replace(/^\/+|\/+$/g, '');
  // SSH addresses have no prefix.
  const below = remote.path.startsWith(`${prefix}/`) ? remote.path.slice(prefix.length + 1) : remote.path;
  return parseRepositoryPath(withoutMarks(provider, below), provider === 'git_http');
}

/** What addresses of servers contain besides the path. */
function withoutMarks(provider: GitProvider, path: string): string {
  if (provider === 'azure_devops') return path.replace(/(^|\/)_git\//, '$1');
  return provider === 'bitbucket' ? path.replace(/^scm\//, '') : path;
}
