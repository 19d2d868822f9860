import {
  apiAuthorization,
  type GitAccess,
  type GitNamespace,
  type GitRepository,
  type RepositoryFilter,
} from './git-provider.js';
import type { JsonValue } from '../../common/json-value.js';
import { filtered, splitPath } from './repository-filter.js';
import { encodePath, RestApi, valuesOf } from './rest-api.js';
import { type CommitFormat, RestProvider } from './rest-provider.js';

const PAGE = 100;

/** Bitbucket Data Center, at a base URL: https://developer.atlassian.com/server/bitbucket/rest/ */
export class BitbucketDataCenter extends RestProvider {
  protected override readonly commits: CommitFormat = {
    path: 'commits',
    sha: 'id',
    message: ['message'],
    parents: ['parents', 'id'],
  };
  protected override readonly tokenUsername = 'x-token-auth';
  protected override readonly toRepository = toRepository;
  protected override readonly pathOf = pathOf;

  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const found = await this.api(access).pages('/repos', PAGE, pageOf, valuesOf);
    return filtered(found.map(toRepository), filter);
  }

  override async namespaces(access: GitAccess): Promise<GitNamespace[]> {
    const found = await this.api(access).pages('/projects', PAGE, pageOf, valuesOf);
    return found.map(toNamespace).filter((each) => each !== null);
  }

  override async repository(access: GitAccess, path: string): Promise<GitRepository | null> {
    const api = this.api(access);
    const found = await api.get(pathOf(path));
    const repository = found === null ? null : toRepository(found);
    if (repository === null) return null;
    const branch = await api.get(`${pathOf(path)}/default-branch`);
    return { ...repository, defaultBranch: branch?.get('displayId').text ?? null };
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? ''}/scm/${encodePath(path)}.git`;
  }

  protected override api({ baseUrl, credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential),
      base: `${baseUrl ?? ''}/rest/api/latest`,
    });
  }
}

function pageOf(page: number): Record<string, string> {
  return { limit: String(PAGE), start: String(page * PAGE) };
}

function pathOf(path: string): string {
  const { namespace, name } = splitPath(path);
  return `/projects/${encodeURIComponent(namespace)}/repos/${encodeURIComponent(name)}`;
}

function toRepository(repository: JsonValue): GitRepository | null {
  const [id, slug, project, webUrl] = [
    repository.get('id').text,
    repository.get('slug').text,
    repository.get('project', 'key').text,
    repository.get('links', 'self').items[0]?.get('href').url ?? null,
  ];
  if (id === null || slug === null || project === null || webUrl === null) return null;
  return {
    id,
    name: repository.get('name').text ?? slug,
    namespace: project,
    path: `${project}/${slug}`,
    isPrivate: !repository.get('public').isTrue,
    webUrl,
    defaultBranch: null,
  };
}

function toNamespace(project: JsonValue): GitNamespace | null {
  const [id, slug] = [project.get('id').text, project.get('key').text];
  if (id === null || slug === null) return null;
  return { id, name: project.get('name').text ?? slug, slug, kind: 'project', parent: null, avatarUrl: null };
}
