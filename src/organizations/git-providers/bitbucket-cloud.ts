import type { OutboundCalls } from '../../common/http/outbound/outbound.js';
import {
  apiAuthorization,
  basic,
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
/** Without a namespace, each workspace is one more request. */
const MAX_WORKSPACES = 10;

/** Bitbucket Cloud: https://developer.atlassian.com/cloud/bitbucket/rest/ */
export class BitbucketCloud extends RestProvider {
  protected override readonly commits: CommitFormat = {
    path: 'commit',
    sha: 'hash',
    message: ['message'],
    parents: ['parents', 'hash'],
  };
  protected override readonly tokenUsername = 'x-token-auth';
  protected override readonly toRepository = toRepository;

  /** @param origins other than the usual ones, for tests */
  constructor(
    outbound: OutboundCalls,
    private readonly origins = { api: 'https://api.bitbucket.org', web: 'https://bitbucket.org' },
  ) {
    super(outbound);
  }

  /** The API lists the repositories of one workspace at a time. */
  override async repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]> {
    const api = this.api(access);
    const workspaces =
      filter.namespace === undefined
        ? (await namespacesOf(api)).slice(0, MAX_WORKSPACES).map(({ slug }) => slug)
        : [filter.namespace];
    const found: JsonValue[] = [];
    for (const workspace of workspaces) {
      const path = `/repositories/${encodeURIComponent(workspace)}`;
      found.push(...(await api.pages(path, PAGE, pageOf, valuesOf)));
    }
    return filtered(found.map(toRepository), filter);
  }

  override namespaces(access: GitAccess): Promise<GitNamespace[]> {
    return namespacesOf(this.api(access));
  }

  override cloneUrl(_access: GitAccess, path: string): string {
    return `${this.origins.web}/${encodePath(path)}.git`;
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    if (credential === null) return null;
    if (credential.kind === 'token') return basic(this.tokenUsername, credential.secret);
    // The API takes the e-mail address of an Atlassian account, git does not.
    const username = credential.username ?? '';
    return basic(username.includes('@') ? 'x-bitbucket-api-token-auth' : username, credential.secret);
  }

  protected override pathOf(path: string): string {
    return `/repositories/${encodePath(path)}`;
  }

  protected override pathOfId(id: string, path: string): string {
    return `/repositories/${encodeURIComponent(path.split('/')[0] ?? '')}/${id}`;
  }

  protected override api({ credential }: GitAccess): RestApi {
    return new RestApi(this.outbound, {
      authorization: apiAuthorization(credential),
      base: `${this.origins.api}/2.0`,
    });
  }
}

async function namespacesOf(api: RestApi): Promise<GitNamespace[]> {
  const found = await api.pages('/user/workspaces', PAGE, pageOf, valuesOf);
  return found.map(toNamespace).filter((each) => each !== null);
}

function pageOf(page: number): Record<string, string> {
  return { pagelen: String(PAGE), page: String(page + 1) };
}

function toRepository(repository: JsonValue): GitRepository | null {
  const [id, path, webUrl] = [
    repository.get('uuid').text,
    repository.get('full_name').text,
    repository.get('links', 'html', 'href').url,
  ];
  if (id === null || path === null || webUrl === null) return null;
  const { namespace, name } = splitPath(path);
  return {
    id,
    name: repository.get('name').text ?? name,
    namespace: repository.get('workspace', 'slug').text ?? namespace,
    path,
    isPrivate: repository.get('is_private').isTrue,
    webUrl,
    defaultBranch: repository.get('mainbranch', 'name').text,
  };
}

/** An entry holds the workspace and the access to it. */
function toNamespace(entry: JsonValue): GitNamespace | null {
  const workspace = entry.get('workspace');
  const [id, slug] = [workspace.get('uuid').text, workspace.get('slug').text];
  if (id === null || slug === null) return null;
  const avatarUrl = workspace.get('links', 'avatar', 'href').url;
  return { id, name: workspace.get('name').text ?? slug, slug, kind: 'workspace', parent: null, avatarUrl };
}
