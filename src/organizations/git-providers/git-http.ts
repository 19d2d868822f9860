import {
  basic,
  type GitAccess,
  type GitCommit,
  type GitNamespace,
  GitProviderClient,
  type GitRepository,
} from './git-provider.js';
import { splitPath } from './repository-filter.js';
import { encodePath } from './rest-api.js';

/** Any server that speaks git's smart HTTP protocol. There is no API beside it, so it lists nothing. */
export class GitHttp extends GitProviderClient {
  override repositories(): Promise<GitRepository[]> {
    return Promise.resolve([]);
  }

  override namespaces(): Promise<GitNamespace[]> {
    return Promise.resolve([]);
  }

  override async repository(access: GitAccess, path: string): Promise<GitRepository | null> {
    const refs = await this.refs(access, path, []);
    if (refs === null) return null;
    const { namespace, name } = splitPath(path);
    return {
      id: path,
      name: name.replace(/\.git$/, ''),
      namespace,
      path,
      isPrivate: access.credential !== null,
      webUrl: this.cloneUrl(access, path),
      defaultBranch: refs.defaultBranch,
    };
  }

  override commit(): Promise<GitCommit | null> {
    return Promise.resolve(null);
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? ''}/${encodePath(path)}`;
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    // Servers that take tokens take them as passwords of any user.
    return credential === null ? null : basic(credential.username ?? 'git', credential.secret);
  }
}
