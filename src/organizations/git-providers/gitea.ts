import { apiAuthorization, type GitAccess, type GitNamespace, type GitRepository } from './git-provider.js';
import { GitHub } from './github.js';
import type { CommitFormat } from './rest-provider.js';
import type { JsonValue } from '../../common/json-value.js';
import { RestApi } from './rest-api.js';

/** Gitea, and Forgejo, which has the same API and follows that of GitHub: https://docs.gitea.com/api/ */
export class Gitea extends GitHub {
  protected override readonly commits: CommitFormat = {
    path: 'git/commits',
    query: { stat: 'false', verification: 'false', files: 'false' },
    sha: 'sha',
    message: ['commit', 'message'],
    parents: ['parents', 'sha'],
  };
  protected override readonly tokenUsername = 'oauth2';
  protected override readonly cloud = 'https://gitea.com';
  /** What Gitea allows by default. */
  protected override readonly pageSize = 50;
  protected override readonly order = {};

  protected override api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential, 'token'),
      base: `${baseUrl ?? this.cloud}/api/v1`,
    });
  }

  protected override pageOf(page: number): Record<string, string> {
    return { limit: String(this.pageSize), page: String(page + 1) };
  }

  /** Empty repositories have a default branch here. */
  protected override toRepository(repository: JsonValue): GitRepository | null {
    const found = super.toRepository(repository);
    return found && { ...found, defaultBranch: repository.get('empty').isTrue ? null : found.defaultBranch };
  }

  protected override toNamespace(
    owner: JsonValue | null,
    kind: 'user' | 'organization',
  ): GitNamespace | null {
    const id = owner?.get('id').text ?? null;
    const slug = owner?.get(kind === 'user' ? 'login' : 'name').text ?? owner?.get('username').text ?? null;
    if (owner === null || id === null || slug === null) return null;
    const name = owner.get('full_name').text ?? slug;
    return { id, name, slug, kind, parent: null, avatarUrl: owner.get('avatar_url').url };
  }
}
