import { CannedResponse, RestServer, type RestRoutes } from '../../../test/support/git/rest-server.js';
import { localOutbound } from '../../../test/support/git/outbound.js';
import { CredentialsRefusedError, GitServerError } from '../git-remotes/git-errors.js';
import { AzureDevOps } from './azure-devops.js';
import { BitbucketCloud } from './bitbucket-cloud.js';
import { BitbucketDataCenter } from './bitbucket-data-center.js';
import { basic, type GitAccess, type GitCredential, type GitProviderClient } from './git-provider.js';
import type { GitProvider } from '../git-connections/git-connection.entity.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';
import { Gitea } from './gitea.js';

const outbound = localOutbound().of('organization');
const token: GitCredential = { kind: 'token', username: null, secret: 'tok' };
const password: GitCredential = { kind: 'basic', username: 'ada', secret: 'pw' };
const sha = 'a1b2c3d4e5'.repeat(4);
const parent = 'b1b2c3d4e5'.repeat(4);
let server: RestServer;

async function serve(routes: RestRoutes, authorization: string | null = null): Promise<void> {
  server = await RestServer.start(routes, authorization);
}

const accessTo = (provider: GitProvider, credential: GitCredential | null = token): GitAccess => ({
  provider,
  baseUrl: server.origin,
  credential,
});

afterEach(() => server.stop());

const github = {
  id: 1296269,
  name: 'shop',
  full_name: 'Acme/shop',
  owner: { login: 'Acme' },
  private: true,
  html_url: 'https://git.example.com/Acme/shop',
  default_branch: 'main',
};
const shop = {
  id: '1296269',
  name: 'shop',
  namespace: 'Acme',
  path: 'Acme/shop',
  isPrivate: true,
  webUrl: 'https://git.example.com/Acme/shop',
  defaultBranch: 'main',
};

describe('GitHub', () => {
  const api = '/api/v3';
  const client = new GitHub(outbound);

  it('lists repositories and namespaces page by page, and finds one', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({
      ...github,
      id: n,
      full_name: `Acme/app-${n}`,
      name: `app-${n}`,
    }));
    await serve(
      {
        [`${api}/user/repos`]: (query: URLSearchParams) => (query.get('page') === '1' ? many : [github]),
        [`${api}/user`]: { id: 1, login: 'ada', name: 'Ada', avatar_url: 'https://git.example.com/a.png' },
        [`${api}/user/orgs`]: [{ id: 2, login: 'Acme', avatar_url: 'javascript:alert(1)' }],
        [`${api}/repos/acme/shop`]: github,
        [`${api}/repos/acme/shop/commits/${sha}`]: {
          sha,
          commit: { message: 'Fix\n\nAll' },
          parents: [{ sha: parent }, { sha }],
        },
      },
      'Bearer tok',
    );
    const access = accessTo('github');
    expect(await client.repositories(access, {})).toHaveLength(101);
    expect(await client.repositories(access, { namespace: 'acme', query: 'SHOP' })).toEqual([shop]);
    expect(await client.repositories(access, { namespace: 'other' })).toEqual([]);
    expect(await client.namespaces(access)).toEqual([
      {
        id: '1',
        name: 'Ada',
        slug: 'ada',
        kind: 'user',
        parent: null,
        avatarUrl: 'https://git.example.com/a.png',
      },
      { id: '2', name: 'Acme', slug: 'Acme', kind: 'organization', parent: null, avatarUrl: null },
    ]);
    expect(await client.repository(access, 'acme/shop')).toEqual(shop);
    expect(await client.repository(access, 'acme/none')).toBeNull();
    expect(await client.commit(access, 'acme/shop', sha)).toEqual({ sha, message: 'Fix\n\nAll', parent });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-github-api-version': '2022-11-28',
      'user-agent': 'Slipway',
    });
  });

  it('signs in to git', async () => {
    await serve({});
    expect(client.gitAuthorization(accessTo('github'))).toBe(basic('x-access-token', 'tok'));
    expect(client.gitAuthorization(accessTo('github', password))).toBe(basic('ada', 'pw'));
    expect(client.gitAuthorization(accessTo('github', null))).toBeNull();
    expect(client.cloneUrl({ ...accessTo('github'), baseUrl: null }, 'acme/shop')).toBe(
      'https://github.com/acme/shop.git',
    );
  });
});

describe('GitLab', () => {
  const client = new GitLab(outbound);
  const project = {
    id: 42,
    name: 'Shop',
    path: 'shop',
    path_with_namespace: 'acme/mobile/shop',
    namespace: { full_path: 'acme/mobile' },
    visibility: 'internal',
    web_url: 'https://git.example.com/acme/mobile/shop',
    default_branch: 'main',
  };
  const expected = {
    id: '42',
    name: 'Shop',
    namespace: 'acme/mobile',
    path: 'acme/mobile/shop',
    isPrivate: true,
    webUrl: 'https://git.example.com/acme/mobile/shop',
    defaultBranch: 'main',
  };

  it('lists projects and namespaces, and finds one', async () => {
    await serve(
      {
        '/api/v4/projects': [project],
        '/api/v4/projects/acme%2Fmobile%2Fshop': project,
        [`/api/v4/projects/acme%2Fmobile%2Fshop/repository/commits/${sha}`]: {
          id: sha,
          message: 'Fix',
          parent_ids: [parent],
        },
        '/api/v4/namespaces': [
          { id: 1, name: 'Ada', full_path: 'ada', kind: 'user', avatar_url: null },
          { id: 2, name: 'Mobile', full_path: 'acme/mobile', kind: 'group' },
        ],
      },
      'Bearer tok',
    );
    const access = accessTo('gitlab');
    expect(await client.repositories(access, { query: 'shop', namespace: 'acme/mobile' })).toEqual([
      expected,
    ]);
    expect(server.urls[0]).toBe(
      '/api/v4/projects?membership=true&search=shop&search_namespaces=true&per_page=100&page=1',
    );
    expect(await client.repository(access, 'acme/mobile/shop')).toEqual(expected);
    expect(await client.commit(access, 'acme/mobile/shop', sha)).toEqual({ sha, message: 'Fix', parent });
    expect(await client.namespaces(access)).toEqual([
      { id: '1', name: 'Ada', slug: 'ada', kind: 'user', parent: null, avatarUrl: null },
      { id: '2', name: 'Mobile', slug: 'acme/mobile', kind: 'group', parent: 'acme', avatarUrl: null },
    ]);
    expect(client.gitAuthorization(access)).toBe(basic('oauth2', 'tok'));
  });
});

describe('Gitea', () => {
  const client = new Gitea(outbound);

  it('lists repositories and namespaces, and finds one', async () => {
    const routes = {
      '/api/v1/user/repos': [github],
      '/api/v1/repos/acme/shop': github,
      [`/api/v1/repos/acme/shop/git/commits/${sha}`]: {
        sha,
        commit: { message: 'Fix' },
        parents: [{ sha: parent }],
      },
      '/api/v1/user': { id: 1, login: 'ada', full_name: '', avatar_url: '' },
      '/api/v1/user/orgs': [{ id: 2, name: 'acme', username: 'acme', full_name: 'Acme' }],
    };
    await serve(routes, 'token tok');
    const access = accessTo('gitea');
    expect(await client.repositories(access, {})).toEqual([shop]);
    expect(await client.repository(access, 'acme/shop')).toEqual(shop);
    expect(await client.commit(access, 'acme/shop', sha)).toEqual({ sha, message: 'Fix', parent });
    expect(await client.namespaces(access)).toEqual([
      { id: '1', name: 'ada', slug: 'ada', kind: 'user', parent: null, avatarUrl: null },
      { id: '2', name: 'Acme', slug: 'acme', kind: 'organization', parent: null, avatarUrl: null },
    ]);
  });
});

describe('Bitbucket Cloud', () => {
  const repository = {
    uuid: '{470c}',
    name: 'Shop',
    full_name: 'acme/shop',
    workspace: { slug: 'acme' },
    is_private: false,
    links: { html: { href: 'https://bitbucket.org/acme/shop' } },
    mainbranch: { name: 'main', type: 'branch' },
  };
  const expected = {
    id: '{470c}',
    name: 'Shop',
    namespace: 'acme',
    path: 'acme/shop',
    isPrivate: false,
    webUrl: 'https://bitbucket.org/acme/shop',
    defaultBranch: 'main',
  };

  it('lists the repositories of all workspaces or one, and finds one', async () => {
    const workspace = {
      uuid: '{w1}',
      slug: 'acme',
      links: { avatar: { href: 'https://bitbucket.org/a.png' } },
    };
    const routes = {
      '/2.0/user/workspaces': { values: [{ type: 'workspace_access', workspace }] },
      '/2.0/repositories/acme': { values: [repository] },
      '/2.0/repositories/acme/shop': repository,
      '/2.0/repositories/acme/%7B470c%7D': repository,
      [`/2.0/repositories/acme/shop/commit/${sha}`]: {
        hash: sha,
        message: 'Fix',
        parents: [{ hash: parent }],
      },
    };
    await serve(routes, 'Bearer tok');
    const client = new BitbucketCloud(outbound, { api: server.origin, web: 'https://bitbucket.org' });
    const access = { ...accessTo('bitbucket'), baseUrl: null };
    expect(await client.repositories(access, {})).toEqual([expected]);
    expect(await client.repositories(access, { namespace: 'acme', query: 'none' })).toEqual([]);
    expect(await client.repository(access, 'acme/shop')).toEqual(expected);
    expect(await client.repositoryById(access, '{470c}', 'acme/old')).toEqual(expected);
    expect(await client.repositoryById(access, '{none}', 'acme/old')).toBeNull();
    expect(await client.commit(access, 'acme/shop', sha)).toEqual({ sha, message: 'Fix', parent });
    expect(await client.namespaces(access)).toEqual([
      {
        id: '{w1}',
        name: 'acme',
        slug: 'acme',
        kind: 'workspace',
        parent: null,
        avatarUrl: 'https://bitbucket.org/a.png',
      },
    ]);
    expect(client.gitAuthorization(access)).toBe(basic('x-token-auth', 'tok'));
    const mail = { ...access, credential: { ...password, username: 'ada@example.com' } };
    expect(client.gitAuthorization(mail)).toBe(basic('x-bitbucket-api-token-auth', 'pw'));
  });
});

describe('Bitbucket Data Center', () => {
  it('lists repositories and projects, and finds one', async () => {
    const repository = {
      id: 7,
      slug: 'shop',
      name: 'Shop',
      project: { key: 'ACME' },
      public: false,
      links: { self: [{ href: 'https://git.example.com/projects/ACME/repos/shop/browse' }] },
    };
    const api = '/rest/api/latest';
    const one = `${api}/projects/ACME/repos/shop`;
    const routes = {
      [`${api}/repos`]: { values: [repository], isLastPage: true },
      [`${api}/projects`]: { values: [{ id: 1, key: 'ACME', name: 'Acme' }], isLastPage: true },
      [one]: repository,
      [`${one}/default-branch`]: { id: 'refs/heads/main', displayId: 'main' },
      [`${one}/commits/${sha}`]: { id: sha, message: 'Fix', parents: [{ id: parent }] },
    };
    await serve(routes, basic('ada', 'pw'));
    const client = new BitbucketDataCenter(outbound);
    const access = accessTo('bitbucket', password);
    const webUrl = 'https://git.example.com/projects/ACME/repos/shop/browse';
    const expected = { id: '7', name: 'Shop', namespace: 'ACME', path: 'ACME/shop', isPrivate: true, webUrl };
    expect(await client.repositories(access, {})).toEqual([{ ...expected, defaultBranch: null }]);
    expect(await client.repository(access, 'ACME/shop')).toEqual({ ...expected, defaultBranch: 'main' });
    expect(await client.commit(access, 'ACME/shop', sha)).toEqual({ sha, message: 'Fix', parent });
    expect(await client.namespaces(access)).toEqual([
      { id: '1', name: 'Acme', slug: 'ACME', kind: 'project', parent: null, avatarUrl: null },
    ]);
    expect(client.cloneUrl(access, 'ACME/shop')).toBe(`${server.origin}/scm/ACME/shop.git`);
  });
});

describe('Azure DevOps', () => {
  const repository = {
    id: '5febef5a',
    name: 'shop',
    project: { name: 'Mobile Apps', visibility: 'private' },
    defaultBranch: 'refs/heads/main',
    webUrl: 'https://dev.azure.com/acme/Mobile%20Apps/_git/shop',
  };
  const expected = {
    id: '5febef5a',
    name: 'shop',
    namespace: 'acme/Mobile Apps',
    path: 'acme/Mobile Apps/shop',
    isPrivate: true,
    webUrl: 'https://dev.azure.com/acme/Mobile%20Apps/_git/shop',
    defaultBranch: 'main',
  };

  it('lists organizations, projects and repositories, and finds one', async () => {
    const project = '/acme/Mobile%20Apps/_apis/git/repositories';
    const routes = {
      '/_apis/profile/profiles/me': { id: 'me' },
      '/_apis/accounts': (query: URLSearchParams) =>
        query.get('memberId') === 'me'
          ? { value: [{ accountId: 'o1', accountName: 'acme' }] }
          : new CannedResponse(400),
      '/acme/_apis/projects': { value: [{ id: 'p1', name: 'Mobile Apps' }] },
      [project]: { value: [repository] },
      [`${project}/shop`]: repository,
      '/acme/_apis/git/repositories/5febef5a': repository,
      [`${project}/shop/commits/${sha}`]: { commitId: sha, comment: 'Fix', parents: [parent] },
    };
    await serve(routes, basic('', 'tok'));
    const client = new AzureDevOps(outbound, { api: server.origin, accounts: server.origin });
    const access = { ...accessTo('azure_devops'), baseUrl: null };
    expect(await client.namespaces(access)).toEqual([
      { id: 'o1', name: 'acme', slug: 'acme', kind: 'organization', parent: null, avatarUrl: null },
    ]);
    expect(await client.namespaces(access, 'acme')).toEqual([
      {
        id: 'p1',
        name: 'Mobile Apps',
        slug: 'acme/Mobile Apps',
        kind: 'project',
        parent: 'acme',
        avatarUrl: null,
      },
    ]);
    expect(await client.repositories(access, { namespace: 'acme/Mobile Apps' })).toEqual([expected]);
    expect(await client.repository(access, 'acme/Mobile Apps/shop')).toEqual(expected);
    expect(await client.repositoryById(access, '5febef5a', 'acme/Old name/old')).toEqual(expected);
    expect(await client.commit(access, 'acme/Mobile Apps/shop', sha)).toEqual({
      sha,
      message: 'Fix',
      parent,
    });
    expect(client.cloneUrl(access, 'acme/Mobile Apps/shop')).toBe(
      `${server.origin}/acme/Mobile%20Apps/_git/shop`,
    );
  });

  it('lists the collections of a server', async () => {
    await serve({ '/_apis/projectCollections': { value: [{ id: 'c1', name: 'Default' }] } });
    const namespaces = await new AzureDevOps(outbound).namespaces(accessTo('azure_devops'));
    expect(namespaces).toMatchObject([{ id: 'c1', slug: 'Default', kind: 'organization' }]);
  });

  it('takes the page for signing in for refused credentials', async () => {
    const project = '/acme/mobile/_apis/git/repositories/shop';
    await serve({ [project]: new CannedResponse(203, '<html>') });
    const client = new AzureDevOps(outbound);
    await expect(client.repository(accessTo('azure_devops'), 'acme/mobile/shop')).rejects.toThrow(
      CredentialsRefusedError,
    );
    expect(await client.repository(accessTo('azure_devops', null), 'acme/mobile/shop')).toBeNull();
    server.routes = { [project]: new CannedResponse(302, '', { location: `${server.origin}/signin` }) };
    expect(await client.repository(accessTo('azure_devops', null), 'acme/mobile/shop')).toBeNull();
  });
});

describe('every provider', () => {
  const client: GitProviderClient = new Gitea(outbound);
  const find = (answer: unknown, credential: GitCredential | null = token): Promise<unknown> => {
    server.routes = { '/api/v1/repos/acme/shop': answer };
    return client.repository(accessTo('gitea', credential), 'acme/shop');
  };

  it('distinguishes refused credentials, limits and failures', async () => {
    await serve({});
    await expect(find(new CannedResponse(401))).rejects.toThrow(CredentialsRefusedError);
    await expect(find(new CannedResponse(403))).rejects.toThrow(CredentialsRefusedError);
    for (const [header, value] of [
      ['x-ratelimit-remaining', '0'],
      ['retry-after', '60'],
    ] as const) {
      await expect(find(new CannedResponse(403, '', { [header]: value }))).rejects.toThrow(
        /limits the number of requests/,
      );
    }
    await expect(find(new CannedResponse(429))).rejects.toThrow(/limits the number of requests/);
    await expect(find(new CannedResponse(500, 'secret'))).rejects.toThrow(
      '127.0.0.1 answered with the status 500.',
    );
    await expect(find(new CannedResponse(200, '<html>'))).rejects.toThrow(/did not answer with JSON/);
    const many = `[${'{},'.repeat(100_000)}{}]`;
    await expect(find(new CannedResponse(200, many))).rejects.toThrow(/more than 200000 values/);
    await expect(find(new CannedResponse(301, '', { location: 'http://169.254.169.254/' }))).rejects.toThrow(
      /redirects/,
    );
    expect(await find(new CannedResponse(401), null)).toBeNull();
    expect(server.urls.every((url) => url === '/api/v1/repos/acme/shop')).toBe(true);
  });

  it.each([
    null,
    5,
    'text',
    [],
    {},
    { id: {} },
    { ...github, html_url: 'javascript:alert(1)' },
    { ...github, id: [1] },
  ])('takes %j for no repository', async (answer) => {
    await serve({});
    expect(await find(answer)).toBeNull();
  });

  it('cleans texts that cannot be stored', async () => {
    await serve({});
    const name = `a\u0000b\n\ud800${'x'.repeat(2000)}`;
    const found = (await find({ ...github, name })) as { name: string };
    expect(found.name).toMatch(/^a b \ufffdx+$/);
    expect(found.name.length).toBeLessThanOrEqual(1000);
  });

  it('never follows pages to another server, and ends after a number of pages', async () => {
    const page = Array.from({ length: 50 }, (_, n) => ({ ...github, id: n }));
    await serve({
      '/api/v1/user/repos': new CannedResponse(200, JSON.stringify(page), {
        link: '<http://169.254.169.254/>; rel="next"',
      }),
    });
    expect(await client.repositories(accessTo('gitea'), {})).toHaveLength(500);
    expect(server.requests).toHaveLength(10);
  });

  it('reports a server that the guard refuses', async () => {
    await serve({});
    const access = { ...accessTo('gitea'), baseUrl: 'http://169.254.169.254' };
    await expect(client.repository(access, 'acme/shop')).rejects.toThrow(GitServerError);
    await expect(client.repository(access, 'acme/shop')).rejects.toThrow(/is not a public address/);
  });
});
