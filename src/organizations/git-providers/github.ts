import type { Outbound } from '../../common/http/outbound/outbound.js';
import {
  apiAuthorization,
  basic,
  type GitAccess,
  type GitCommit,
  type GitNamespace,
  GitProviderClient,
  type GitRepository,
  type RepositoryFilter,
} from './git-provider.js';
import type { JsonValue } from './json-value.js';
import { filtered } from './repository-filter.js';
import { encodePath, RestApi } from './rest-api.js';

const PAGE = 100;

/** GitHub and GitHub Enterprise Server: https://docs.github.com/en/rest */
export class GitHub extends GitProviderClient {
  constructor(private readonly outbound: Outbound) {
    super();
  }

  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const found = await this.api(access).pages('/user/repos', PAGE, (page) => ({
      per_page: String(PAGE),
      page: String(page + 1),
      sort: 'full_name',
    }));
    return filtered(found.map(toRepository), filter);
  }

  override async namespaces(access: GitAccess): Promise<GitNamespace[]> {
    const api = this.api(access);
    const user = await api.get('/user');
    const organizations = await api.pages('/user/orgs', PAGE, (page) => ({
      per_page: String(PAGE),
      page: String(page + 1),
    }));
    return [
      toNamespace(user, 'user'),
      ...organizations.map((each) => toNamespace(each, 'organization')),
    ].filter((each) => each !== null);
  }

  override async repository(access: GitAccess, path: string): Promise<GitRepository | null> {
    const found = await this.api(access).get(`/repos/${encodePath(path)}`);
    return found === null ? null : toRepository(found);
  }

  override async commit(access: GitAccess, path: string, revision: string): Promise<GitCommit | null> {
    const found = await this.api(access).get(
      `/repos/${encodePath(path)}/commits/${encodeURIComponent(revision)}`,
    );
    const sha = found?.get('sha').text ?? null;
    return sha === null ? null : { sha, message: found?.get('commit', 'message').longText ?? null };
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? 'https://github.com'}/${encodePath(path)}.git`;
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    if (credential === null) return null;
    return basic(credential.username ?? 'x-access-token', credential.secret);
  }

  private api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential),
      base: baseUrl === null ? 'https://api.github.com' : `${baseUrl}/api/v3`,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    });
  }
}

/** A repository in GitHub's API. */
export function toRepository(repository: JsonValue): GitRepository | null {
  const [id, name, path, webUrl] = [
    repository.get('id').text,
    repository.get('name').text,
    repository.get('full_name').text,
    repository.get('html_url').url,
  ];
  if (id === null || name === null || path === null || webUrl === null) return null;
  return {
    id,
    name,
    namespace: repository.get('owner', 'login').text ?? '',
    path,
    isPrivate: repository.get('private').isTrue,
    webUrl,
    defaultBranch: repository.get('default_branch').text,
  };
}

function toNamespace(owner: JsonValue | null, kind: 'user' | 'organization'): GitNamespace | null {
  const [id, slug] = [owner?.get('id').text ?? null, owner?.get('login').text ?? null];
  if (owner === null || id === null || slug === null) return null;
  const name = owner.get('name').text ?? slug;
  return { id, name, slug, kind, parent: null, avatarUrl: owner.get('avatar_url').url };
}
