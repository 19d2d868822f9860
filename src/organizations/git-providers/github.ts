import {
  apiAuthorization,
  type GitAccess,
  type GitNamespace,
  type GitRepository,
  type RepositoryFilter,
} from './git-provider.js';
import type { JsonValue } from '../../common/json-value.js';
import { filtered } from './repository-filter.js';
import { encodePath, RestApi } from './rest-api.js';
import { type CommitFormat, RestProvider } from './rest-provider.js';

/** GitHub and GitHub Enterprise Server: https://docs.github.com/en/rest */
export class GitHub extends RestProvider {
  protected override readonly commits: CommitFormat = {
    path: 'commits',
    sha: 'sha',
    message: ['commit', 'message'],
    parents: ['parents', 'sha'],
  };
  protected override readonly tokenUsername: string = 'x-access-token';
  protected readonly cloud: string = 'https://github.com';
  protected readonly pageSize: number = 100;
  protected readonly order: Readonly<Record<string, string>> = { sort: 'full_name' };

  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const found = await this.api(access).pages('/user/repos', this.pageSize, (page) => ({
      ...this.pageOf(page),
      ...this.order,
    }));
    return filtered(
      found.map((each) => this.toRepository(each)),
      filter,
    );
  }

  override async namespaces(access: GitAccess): Promise<GitNamespace[]> {
    const api = this.api(access);
    const user = await api.get('/user');
    const organizations = await api.pages('/user/orgs', this.pageSize, (page) => this.pageOf(page));
    return [
      this.toNamespace(user, 'user'),
      ...organizations.map((each) => this.toNamespace(each, 'organization')),
    ].filter((each) => each !== null);
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? this.cloud}/${encodePath(path)}.git`;
  }

  protected override pathOf(path: string): string {
    return `/repos/${encodePath(path)}`;
  }

  protected override pathOfId(id: string): string {
    return `/repositories/${id}`;
  }

  protected override api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential),
      base: baseUrl === null ? 'https://api.github.com' : `${baseUrl}/api/v3`,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    });
  }

  protected pageOf(page: number): Record<string, string> {
    return { per_page: String(this.pageSize), page: String(page + 1) };
  }

  protected override toRepository(repository: JsonValue): GitRepository | null {
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

  protected toNamespace(owner: JsonValue | null, kind: 'user' | 'organization'): GitNamespace | null {
    const [id, slug] = [owner?.get('id').text ?? null, owner?.get('login').text ?? null];
    if (owner === null || id === null || slug === null) return null;
    const name = owner.get('name').text ?? slug;
    return { id, name, slug, kind, parent: null, avatarUrl: owner.get('avatar_url').url };
  }
}
