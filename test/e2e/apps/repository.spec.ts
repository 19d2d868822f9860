import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { CannedResponse, RestServer } from '../../support/git/rest-server.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { eventsOfRequest, titles } from '../../support/organizations/audit-log.js';

const repository = {
  id: 7,
  name: 'shop',
  full_name: 'Acme/shop',
  owner: { login: 'Acme' },
  private: true,
  html_url: 'https://git.example.com/Acme/shop',
};
const variantA = { ownerSlug: 'acme', provider: 'github', repositorySlug: 'shop' };

let server: RestServer;
let app: TestApp;

beforeAll(async () => {
  server = await RestServer.start({ '/api/v3/repos/acme/shop': repository }, 'Bearer secret-token');
});
afterAll(() => server.stop());

beforeEach(async () => {
  app = await createApp();
});

const github = (): object => ({ provider: 'github', baseUrl: server.origin });
const linkOf = async (one = app): Promise<{ gitConnectionId: string | null }> =>
  (await one.api.get(`${one.path}/repository`)).body;

it('links, shows and unlinks a repository through a connection', async () => {
  const connection = await createGitConnection(app.tenant, github());
  const { message } = expectError(
    await app.api.get(`${app.path}/repository`),
    404,
    'app_repository_not_found',
  );
  expect(message).toContain('"apps:link"');
  expect(message).toContain(`PUT ${app.path}/repository`);
  const linked = await app.api.put(`${app.path}/repository`, {
    gitConnectionId: connection.id,
    path: '/acme/shop.git',
  });
  expect(linked.body).toEqual((await app.api.get(app.path)).body);
  expect(titles(await eventsOfRequest(app.tenant, linked))).toEqual(['app-repository created']);
  const shown = await linkOf();
  expect((await app.api.get(`${app.path}?relations=repository`)).body).toMatchObject({
    id: app.id,
    repository: shown,
  });
  expect(shown).toEqual({
    id: expect.any(String),
    appId: app.id,
    gitConnectionId: connection.id,
    name: 'shop',
    path: 'Acme/shop',
    provider: 'github',
    providerBaseUrl: server.origin,
    providerRepositoryId: '7',
    webUrl: 'https://git.example.com/Acme/shop',
    submoduleRepositories: [],
    gitDepth: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  await app.api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path: 'acme/shop' });
  expect(await linkOf()).toMatchObject({ id: (shown as unknown as { id: string }).id });
  expect((await app.api.delete(`${app.path}/repository`)).status).toBe(204);
  // Who asks so need not expect a refusal.
  expect((await app.api.get(`${app.path}?relations=repository`)).body).toHaveProperty('repository', null);
  expect((await app.api.get(app.path)).body).not.toHaveProperty('repository');
  expectError(await app.api.delete(`${app.path}/repository`), 404, 'app_repository_not_found');
});

it('takes the connection that sees the repository, the one of the app first', async () => {
  const shared = await createGitConnection(app.tenant, { ...github(), name: 'A' });
  await createGitConnection(app.tenant, { ...github(), name: 'B', token: 'wrong', appId: app.id });
  const put = (): Promise<unknown> => app.api.put(`${app.path}/repository`, variantA);
  await put();
  expect(await linkOf()).toMatchObject({ gitConnectionId: shared.id });
  const own = await createGitConnection(app.tenant, { ...github(), name: 'C', appId: app.id });
  await put();
  expect(await linkOf()).toMatchObject({ gitConnectionId: own.id });
  const other = await createApp(app.tenant);
  await other.api.put(`${other.path}/repository`, variantA);
  expect(await linkOf(other)).toMatchObject({ gitConnectionId: shared.id });
});

it('says how to add a connection when none sees the repository', async () => {
  const admin = await createMember(app.tenant, 'admin');
  await createGitConnection(app.tenant, { ...github(), restricted: true }, admin);
  const broken = await createGitConnection(app.tenant, { ...github(), token: 'wrong' });
  // A name that no one has at the provider, in case that it can be reached.
  const body = { ...variantA, ownerSlug: 'acme', repositorySlug: `none-${uuid()}` };
  const { message } = expectError(
    await app.api.put(`${app.path}/repository`, body),
    404,
    'git_repository_not_found',
  );
  expect(message).toContain(`POST /v1/organizations/${app.tenant.organizationId}/git-connections`);
  expect(message).toContain(broken.name);
});

it('finds projects of subgroups and of Azure DevOps by their parts', async () => {
  const project = {
    id: 1,
    name: 'shop',
    path_with_namespace: 'acme/a/b/shop',
    web_url: 'https://x.example.com/',
    visibility: 'private',
  };
  const azure = {
    id: '1',
    name: 'shop',
    webUrl: 'https://x.example.com/',
    project: { visibility: 'private' },
  };
  const other = await RestServer.start({
    '/api/v4/projects/acme%2Fa%2Fb%2Fshop': project,
    '/acme/Mobile%20Apps/_apis/git/repositories/shop': azure,
  });
  await createGitConnection(app.tenant, { provider: 'gitlab', baseUrl: other.origin });
  await createGitConnection(app.tenant, { provider: 'azure_devops', baseUrl: other.origin });
  const slugs = { ownerSlug: 'acme', repositorySlug: 'shop' };
  await app.api.put(`${app.path}/repository`, { ...slugs, provider: 'gitlab', projectSlug: 'a/b' });
  expect(await linkOf()).toMatchObject({ provider: 'gitlab', path: 'acme/a/b/shop' });
  await app.api.put(`${app.path}/repository`, { ...slugs, provider: 'azure', projectSlug: 'Mobile Apps' });
  expect(await linkOf()).toMatchObject({ provider: 'azure_devops', path: 'acme/Mobile Apps/shop' });
  expectInvalid(await app.api.put(`${app.path}/repository`, { ...slugs, provider: 'azure' }), 'path');
  await other.stop();
});

it('refuses bodies that are neither form', async () => {
  const put = (body: object) => app.api.put(`${app.path}/repository`, body);
  expectInvalid(await put({}), 'provider', 'ownerSlug', 'repositorySlug');
  expectInvalid(await put({ path: 'acme/shop' }), 'gitConnectionId');
  expectInvalid(await put({ gitConnectionId: uuid() }), 'path');
  expectInvalid(await put({ gitConnectionId: 5, path: ['a'] }), 'gitConnectionId', 'path');
  expectInvalid(
    await put({ ...variantA, provider: 'azure_devops', ownerSlug: null }),
    'provider',
    'ownerSlug',
  );
  const connection = await createGitConnection(app.tenant, github());
  for (const path of [
    'shop',
    '../../admin',
    'acme/../x',
    'acme/shop?x=y',
    'acme//shop',
    'acme\\shop',
    'acme/%2e%2e',
  ]) {
    expectInvalid(await put({ gitConnectionId: connection.id, path }), 'path');
  }
  for (const ownerSlug of ['..', 'a/../b', '?']) expectInvalid(await put({ ...variantA, ownerSlug }), 'path');
});

it('uses no connection of another organization, of another app or of another user', async () => {
  const put = (gitConnectionId: string) =>
    app.api.put(`${app.path}/repository`, { gitConnectionId, path: 'acme/shop' });
  const foreign = await createGitConnection(await createTenant(), github());
  expectError(await put(foreign.id), 404, 'git_connection_not_found');
  expectError(await put(uuid()), 404, 'git_connection_not_found');
  const other = await createGitConnection(app.tenant, {
    ...github(),
    appId: (await createApp(app.tenant)).id,
  });
  expectError(await put(other.id), 404, 'git_connection_not_found');
  const admin = await createMember(app.tenant, 'admin');
  const restricted = await createGitConnection(app.tenant, { ...github(), restricted: true }, admin);
  expectError(await put(restricted.id), 403, 'git_connection_restricted');
});

it('keeps tokens that are limited to an app from the repositories of the organization', async () => {
  const shared = await createGitConnection(app.tenant, github());
  const { api } = await createToken(app.api, { appIds: [app.id] });
  const put = (body: object) => api.put(`${app.path}/repository`, body);
  expectError(await put({ gitConnectionId: shared.id, path: 'acme/shop' }), 403, 'token_limited');
  expectError(await put(variantA), 403, 'token_limited');
  const own = await createGitConnection(app.tenant, { ...github(), appId: app.id });
  expect((await put({ gitConnectionId: own.id, path: 'acme/shop' })).status).toBe(200);
  expect((await put(variantA)).status).toBe(200);
});

it('leaves connections behind when the app moves to another organization', async () => {
  const shared = await createGitConnection(app.tenant, github());
  const own = await createGitConnection(app.tenant, { ...github(), appId: app.id });
  await app.api.put(`${app.path}/repository`, { gitConnectionId: shared.id, path: 'acme/shop' });
  const target = await app.api.post('/v1/organizations', { name: 'Target' });
  await app.api.post(`${app.path}/transfer`, { organizationId: target.body.id });
  expect(await linkOf()).toMatchObject({ gitConnectionId: null, path: 'Acme/shop' });
  expectError(await app.api.get(own.path), 404, 'git_connection_not_found');
  expect((await app.api.get(shared.path)).status).toBe(200);
});

it('stays linked without the connection when that is deleted', async () => {
  const connection = await createGitConnection(app.tenant, github());
  await app.api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path: 'acme/shop' });
  expect((await app.api.delete(connection.path)).status).toBe(204);
  expect(await linkOf()).toMatchObject({ gitConnectionId: null });
});

it('stores nothing odd that a server says', async () => {
  const odd = {
    ...repository,
    full_name: '../../etc',
    name: 'a\u0000b',
    html_url: 'https://git.example.com/\u0000',
  };
  const hostile = await RestServer.start({
    '/api/v3/repos/acme/shop': odd,
    '/api/v3/repos/acme/x': new CannedResponse(200, '"x"'),
  });
  const connection = await createGitConnection(app.tenant, { provider: 'github', baseUrl: hostile.origin });
  const put = (path: string) =>
    app.api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path });
  expect((await put('acme/shop')).status).toBe(200);
  expect(await linkOf()).toMatchObject({ path: 'acme/shop', name: 'a b' });
  expectError(await put('acme/x'), 404, 'git_repository_not_found');
  await hostile.stop();
});

(hasGit ? it : it.skip)('links repositories of plain git servers', async () => {
  const git = await GitServer.start({ credentials: 'ada:pw' });
  git.create('srv/shop.git');
  git.commit('srv/shop.git', 'main', 'First');
  const values = {
    provider: 'git_http',
    authKind: 'basic',
    token: undefined,
    username: 'ada',
    password: 'pw',
    baseUrl: git.origin,
  };
  const connection = await createGitConnection(app.tenant, values);
  const put = (path: string) =>
    app.api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path });
  expect((await put('srv/shop.git')).status).toBe(200);
  expect(await linkOf()).toMatchObject({
    provider: 'git_http',
    name: 'shop',
    path: 'srv/shop.git',
    webUrl: `${git.origin}/srv/shop.git`,
  });
  expectError(await put('srv/none.git'), 404, 'git_repository_not_found');
  await app.api.patch(connection.path, { password: 'wrong' });
  expectError(await put('srv/shop.git'), 400, 'git_credentials_refused');
  await git.stop();
});

it('keeps one of many links at once', async () => {
  const connection = await createGitConnection(app.tenant, github());
  const body = { gitConnectionId: connection.id, path: 'acme/shop' };
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => app.api.put(`${app.path}/repository`, body)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
});
