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
import { toRepository as toGitHubRepository } from './github.js';
import type { JsonValue } from './json-value.js';
import { filtered } from './repository-filter.js';
import { encodePath, RestApi } from './rest-api.js';

/** What Gitea allows by default. */
const PAGE = 50;

/** Gitea, and Forgejo, which has the same API: https://docs.gitea.com/api/ */
export class Gitea extends GitProviderClient {
  constructor(private readonly outbound: Outbound) {
    super();
  }

  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const found = await this.api(access).pages('/user/repos', PAGE, pageOf);
    return filtered(found.map(toRepository), filter);
  }

  override async namespaces(access: GitAccess): Promise<GitNamespace[]> {
    const api = this.api(access);
    const user = await api.get('/user');
    const organizations = await api.pages('/user/orgs', PAGE, pageOf);
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
      `/repos/${encodePath(path)}/git/commits/${encodeURIComponent(revision)}`,
      { stat: 'false', verification: 'false', files: 'false' },
    );
    const sha = found?.get('sha').text ?? null;
    return sha === null ? null : { sha, message: found?.get('commit', 'message').longText ?? null };
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? 'https://gitea.com'}/${encodePath(path)}.git`;
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    return credential === null ? null : basic(credential.username ?? 'oauth2', credential.secret);
  }

  private api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential, 'token'),
      base: `${baseUrl ?? 'https://gitea.com'}/api/v1`,
    });
  }
}

function pageOf(page: number): Record<string, string> {
  return { limit: String(PAGE), page: String(page + 1) };
}

/** As in GitHub's API, which this one follows; but empty repositories have a default branch. */
function toRepository(repository: JsonValue): GitRepository | null {
  const found = toGitHubRepository(repository);
  return found && { ...found, defaultBranch: repository.get('empty').isTrue ? null : found.defaultBranch };
}

function toNamespace(owner: JsonValue | null, kind: 'user' | 'organization'): GitNamespace | null {
  const id = owner?.get('id').text ?? null;
  const slug = owner?.get(kind === 'user' ? 'login' : 'name').text ?? owner?.get('username').text ?? null;
  if (owner === null || id === null || slug === null) return null;
  const name = owner.get('full_name').text ?? slug;
  return { id, name, slug, kind, parent: null, avatarUrl: owner.get('avatar_url').url };
}
