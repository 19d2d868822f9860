import {
  type GitAccess,
  type GitNamespace,
  type GitRepository,
  type RepositoryFilter,
} from './git-provider.js';
import type { JsonValue } from '../../common/json-value.js';
import { filtered, splitPath } from './repository-filter.js';
import { encodePath, RestApi } from './rest-api.js';
import { type CommitFormat, RestProvider } from './rest-provider.js';

const PAGE = 100;

/** GitLab, also self-managed: https://docs.gitlab.com/api/rest/ */
export class GitLab extends RestProvider {
  protected override readonly commits: CommitFormat = {
    path: 'repository/commits',
    sha: 'id',
    message: ['message'],
    parents: ['parent_ids'],
  };
  protected override readonly tokenUsername = 'oauth2';
  protected override readonly toRepository = toRepository;

  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const found = await this.api(access).pages('/projects', PAGE, (page) => ({
      membership: 'true',
      ...(filter.query !== undefined && { search: filter.query, search_namespaces: 'true' }),
      ...pageOf(page),
    }));
    return filtered(found.map(toRepository), {
      ...(filter.namespace !== undefined && { namespace: filter.namespace }),
    });
  }

  override async namespaces(access: GitAccess): Promise<GitNamespace[]> {
    const found = await this.api(access).pages('/namespaces', PAGE, pageOf);
    return found.map(toNamespace).filter((each) => each !== null);
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? 'https://gitlab.com'}/${encodePath(path)}.git`;
  }

  protected override pathOf(path: string): string {
    return `/projects/${encodeURIComponent(path)}`;
  }

  protected override pathOfId(id: string): string {
    return `/projects/${id}`;
  }

  protected override api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      base: `${baseUrl ?? 'https://gitlab.com'}/api/v4`,
      // The password of a user who signs in to git is a token here, too: the API takes no passwords.
      authorization: credential && `Bearer ${credential.secret}`,
    });
  }
}

function pageOf(page: number): Record<string, string> {
  return { per_page: String(PAGE), page: String(page + 1) };
}

function toRepository(project: JsonValue): GitRepository | null {
  const [id, path, webUrl] = [
    project.get('id').text,
    project.get('path_with_namespace').text,
    project.get('web_url').url,
  ];
  if (id === null || path === null || webUrl === null) return null;
  const { namespace, name } = splitPath(path);
  return {
    id,
    name: project.get('name').text ?? name,
    namespace: project.get('namespace', 'full_path').text ?? namespace,
    path,
    isPrivate: project.get('visibility').text !== 'public',
    webUrl,
    defaultBranch: project.get('default_branch').text,
  };
}

function toNamespace(namespace: JsonValue): GitNamespace | null {
  const [id, slug] = [namespace.get('id').text, namespace.get('full_path').text];
  if (id === null || slug === null) return null;
  const isUser = namespace.get('kind').text === 'user';
  return {
    id,
    name: namespace.get('name').text ?? slug,
    slug,
    kind: isUser ? 'user' : 'group',
    parent: isUser ? null : splitPath(slug).namespace || null,
    avatarUrl: namespace.get('avatar_url').url,
  };
}
