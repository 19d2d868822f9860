import type { OutboundCalls } from '../../common/http/outbound/outbound.js';
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

/**
 * Azure DevOps Services, and Azure DevOps Server at a base URL: https://learn.microsoft.com/en-us/rest/api/azure/devops/
 * The path of a repository is `organization/project/name`, with a collection as the organization of a server.
 */
export class AzureDevOps extends RestProvider {
  protected override readonly commits: CommitFormat = {
    path: 'commits',
    sha: 'commitId',
    message: ['comment'],
    parents: ['parents'],
  };
  protected override readonly tokenUsername = '';
  protected override readonly pathOf = pathOf;

  /** @param origins other than the usual ones, for tests */
  constructor(
    outbound: OutboundCalls,
    private readonly origins = {
      api: 'https://dev.azure.com',
      accounts: 'https://app.vssps.visualstudio.com',
    },
  ) {
    super(outbound);
  }

  /** @param filter `namespace` is `organization/project` and required */
  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const { namespace = '', query } = filter;
    const found = await this.api(access).get(`/${encodePath(namespace)}/_apis/git/repositories`);
    const repositories = found?.get('value').items.map((each) => toRepository(each, namespace)) ?? [];
    return filtered(repositories, { ...(query !== undefined && { query }) });
  }

  override async namespaces(access: GitAccess, organization?: string): Promise<GitNamespace[]> {
    if (organization === undefined) return this.organizations(access);
    const found = await this.api(access).pages(
      `/${encodeURIComponent(organization)}/_apis/projects`,
      PAGE,
      (page) => ({ $top: String(PAGE), $skip: String(page * PAGE) }),
      (answer) => answer.get('value').items,
    );
    return found
      .map((project) => toNamespace(project, 'id', 'name', 'project', organization))
      .filter((each) => each !== null);
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    const [repository = '', ...project] = path.split('/').toReversed();
    const base = baseUrl ?? this.origins.api;
    return `${base}/${encodePath(project.toReversed().join('/'))}/_git/${encodeURIComponent(repository)}`;
  }

  /** Of the cloud, the organizations of the user; of a server, its collections. */
  private async organizations(access: GitAccess): Promise<GitNamespace[]> {
    if (access.baseUrl !== null) {
      const found = await this.api(access).get('/_apis/projectCollections');
      const collections = found?.get('value').items ?? [];
      return collections
        .map((each) => toNamespace(each, 'id', 'name', 'organization'))
        .filter((each) => each !== null);
    }
    const api = this.api(access, this.origins.accounts);
    const profile = await api.get('/_apis/profile/profiles/me');
    const memberId = profile?.get('id').text ?? '';
    const accounts = await api.get('/_apis/accounts', { memberId });
    return (accounts?.get('value').items ?? [])
      .map((each) => toNamespace(each, 'accountId', 'accountName', 'organization'))
      .filter((each) => each !== null);
  }

  /** Without the project, which may have another name now. */
  protected override pathOfId(id: string, path: string): string {
    return `/${encodeURIComponent(organizationOf(path))}/_apis/git/repositories/${id}`;
  }

  protected override toRepository(repository: JsonValue, path: string): GitRepository | null {
    const project = repository.get('project', 'name').text;
    const namespace = project === null ? splitPath(path).namespace : `${organizationOf(path)}/${project}`;
    return toRepository(repository, namespace);
  }

  protected override api(access: GitAccess, base: string = access.baseUrl ?? this.origins.api): RestApi {
    return new RestApi(this.outbound, {
      base,
      authorization: this.gitAuthorization(access),
      query: { 'api-version': '7.1' },
    });
  }
}

function organizationOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function pathOf(path: string): string {
  const [repository = '', ...project] = path.split('/').toReversed();
  return `/${encodePath(project.toReversed().join('/'))}/_apis/git/repositories/${encodeURIComponent(repository)}`;
}

function toRepository(repository: JsonValue, namespace: string): GitRepository | null {
  const [id, name, webUrl] = [
    repository.get('id').text,
    repository.get('name').text,
    repository.get('webUrl').url ?? repository.get('remoteUrl').url,
  ];
  if (id === null || name === null || webUrl === null) return null;
  return {
    id,
    name,
    namespace,
    path: `${namespace}/${name}`,
    isPrivate: repository.get('project', 'visibility').text !== 'public',
    webUrl,
    defaultBranch: repository.get('defaultBranch').text?.replace(/^refs\/heads\//, '') ?? null,
  };
}

function toNamespace(
  value: JsonValue,
  idField: string,
  nameField: string,
  kind: 'organization' | 'project',
  parent: string | null = null,
): GitNamespace | null {
  const [id, name] = [value.get(idField).text, value.get(nameField).text];
  if (id === null || name === null) return null;
  return { id, name, slug: parent === null ? name : `${parent}/${name}`, kind, parent, avatarUrl: null };
}
