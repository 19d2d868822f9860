import { createApp, type TestApp } from '../../builders/app.js';
import { createGitConnection, linkRepository } from '../../builders/git-connection.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { RestServer } from '../../support/git/rest-server.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { eventsOfRequest, titles } from '../../support/organizations/audit-log.js';

const repositoryOf = (name: string, id: number): object => ({
  id,
  name,
  full_name: `acme/${name}`,
  owner: { login: 'acme' },
  private: true,
  html_url: `https://git.example.com/acme/${name}`,
});

let server: RestServer;
let app: TestApp;

beforeAll(async () => {
  server = await RestServer.start(
    {
      '/api/v3/repos/acme/shop': repositoryOf('shop', 7),
      '/api/v3/repos/acme/other': repositoryOf('other', 8),
    },
    'Bearer secret-token',
  );
});
afterAll(() => server.stop());

beforeEach(async () => {
  app = await createApp();
});

const github = (): object => ({ provider: 'github', baseUrl: server.origin });
const patch = (submoduleRepositories: unknown, { api } = app) =>
  api.patch(`${app.path}/repository`, { submoduleRepositories });
const put = (gitConnectionId: string, more: object = {}) =>
  app.api.put(`${app.path}/repository`, { gitConnectionId, path: 'acme/shop', ...more });
const listed = async (): Promise<unknown> =>
  (await app.api.get(`${app.path}/repository`)).body['submoduleRepositories'];

it('are none by default, and what was set', async () => {
  await linkRepository(app);
  expect(await listed()).toEqual([]);
  const changed = await patch(['acme/shared-ui', 'acme/Mobile Apps/_git/lib.git']);
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    appId: app.id,
    submoduleRepositories: ['acme/shared-ui', 'acme/Mobile Apps/_git/lib.git'],
  });
  expect(titles(await eventsOfRequest(app.tenant, changed))).toEqual(['app-repository updated']);
  expect((await app.api.patch(`${app.path}/repository`, {})).body).toEqual(changed.body);
  await patch([]);
  expect(await listed()).toEqual([]);
});

it('need a link', async () => {
  expectError(await patch(['acme/lib']), 404, 'app_repository_not_found');
});

it('are paths as in addresses, at most 100', async () => {
  await linkRepository(app);
  for (const path of [
    '',
    '/acme/lib',
    'acme/lib/',
    'acme//lib',
    'acme/../lib',
    'acme/./lib',
    ' acme/lib',
    'acme/lib?x',
    'acme/lib#x',
    'acme%2Flib',
    'acme\\lib',
    'acme/l\u0007b',
    'acme/l\u202eb',
    'https://github.com/acme/lib',
    'a'.repeat(256),
    5,
    null,
    ['acme/lib'],
  ]) {
    expectInvalid(await patch(['acme/ok', path]), 'submoduleRepositories');
  }
  for (const list of [
    null,
    'acme/lib',
    {},
    5,
    Array.from({ length: 101 }, (_, number) => `acme/${number}`),
  ]) {
    expectInvalid(await patch(list), 'submoduleRepositories');
  }
  expect(await listed()).toEqual([]);
  const longest = Array.from({ length: 100 }, (_, number) => `${number}`.padStart(255, 'a'));
  expect((await patch(longest)).status).toBe(200);
  expect(await listed()).toEqual(longest);
});

it('stay when the app is linked to the same repository again, and go with the repository or the connection', async () => {
  const connection = await createGitConnection(app.tenant, github());
  expect((await put(connection.id, { submoduleRepositories: ['acme/lib'] })).status).toBe(200);
  expect(await listed()).toEqual(['acme/lib']);
  await put(connection.id);
  expect(await listed()).toEqual(['acme/lib']);
  await put(connection.id, { path: 'acme/other' });
  expect(await listed()).toEqual([]);
  await patch(['acme/lib']);
  await put((await createGitConnection(app.tenant, github())).id, { path: 'acme/other' });
  expect(await listed()).toEqual([]);
  expectInvalid(await put(connection.id, { submoduleRepositories: ['..'] }), 'submoduleRepositories');
});

it('do not go from a link without a connection to one with', async () => {
  await linkRepository(app);
  const { api } = await createToken(app.api, { appIds: [app.id] });
  expect((await patch(['acme/secret'], { api } as TestApp)).status).toBe(200);
  await put((await createGitConnection(app.tenant, github())).id);
  expect(await listed()).toEqual([]);
});

it('can be added only by those who can use the connection', async () => {
  const shared = await createGitConnection(app.tenant, github());
  await put(shared.id);
  const token = await createToken(app.api, { appIds: [app.id] });
  const limited = { api: token.api } as TestApp;
  expectError(await patch(['acme/secret'], limited), 403, 'token_limited');
  const viewer = await createMember(app.tenant, 'viewer');
  expectError(await patch([], viewer as unknown as TestApp), 403, 'not_authorized');
  await patch(['acme/a', 'acme/b']);
  expectError(await patch(['acme/b', 'acme/secret'], limited), 403, 'token_limited');
  expect(await listed()).toEqual(['acme/a', 'acme/b']);
  // Fewer is not more.
  expect((await patch(['acme/b'], limited)).status).toBe(200);
  expect(await listed()).toEqual(['acme/b']);
  const stranger = (await createTenant()).owner as unknown as TestApp;
  expectError(await patch([], stranger), 404, 'app_not_found');
});

it('can be added to a restricted connection only by its creator', async () => {
  const admin = await createMember(app.tenant, 'admin');
  const restricted = await createGitConnection(app.tenant, { ...github(), restricted: true }, admin);
  const body = { gitConnectionId: restricted.id, path: 'acme/shop' };
  expect((await admin.api.put(`${app.path}/repository`, body)).status).toBe(200);
  expectError(await patch(['acme/secret']), 403, 'git_connection_restricted');
  expect((await patch(['acme/lib'], admin as unknown as TestApp)).status).toBe(200);
  expect((await patch([])).status).toBe(200);
});

describe('the depth of the history', () => {
  const depth = async (): Promise<unknown> => (await app.api.get(`${app.path}/repository`)).body['gitDepth'];
  const setDepth = (gitDepth: unknown) => app.api.patch(`${app.path}/repository`, { gitDepth });

  it('is 1, and what was set, beside the submodules', async () => {
    await linkRepository(app);
    await patch(['acme/lib']);
    expect(await depth()).toBe(1);
    const changed = await setDepth(0);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ gitDepth: 0, submoduleRepositories: ['acme/lib'] });
    expect(titles(await eventsOfRequest(app.tenant, changed))).toEqual(['app-repository updated']);
    await patch(['acme/other']);
    expect(await depth()).toBe(0);
    for (const value of [-1, 1_000_001, 1.5, '1', null, [], true])
      expectInvalid(await setDepth(value), 'gitDepth');
    expect((await setDepth(1_000_000)).status).toBe(200);
    expect(await depth()).toBe(1_000_000);
  });

  it('stays with the repository, and goes with it', async () => {
    const connection = await createGitConnection(app.tenant, github());
    expect((await put(connection.id, { gitDepth: 50 })).status).toBe(200);
    expect(await depth()).toBe(50);
    await put(connection.id);
    expect(await depth()).toBe(50);
    await put(connection.id, { path: 'acme/other' });
    expect(await depth()).toBe(1);
    expectInvalid(await put(connection.id, { gitDepth: -1 }), 'gitDepth');
  });

  it('needs no right to use the connection', async () => {
    const shared = await createGitConnection(app.tenant, github());
    await put(shared.id);
    const { api } = await createToken(app.api, { appIds: [app.id] });
    expect((await api.patch(`${app.path}/repository`, { gitDepth: 0 })).status).toBe(200);
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await viewer.api.patch(`${app.path}/repository`, { gitDepth: 1 }), 403, 'not_authorized');
  });
});
