import { SecretBox } from '../../../src/common/secrets/secret-box.js';
import { createApp } from '../../builders/app.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createGitConnection, DEAD_SERVER } from '../../builders/git-connection.js';
import { query } from '../../setup/databases.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { CannedResponse, RestServer } from '../../support/git/rest-server.js';
import { LocalServer } from '../../support/git/local-server.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

let tenant: Tenant;
let path: string;

beforeEach(async () => {
  tenant = await createTenant();
  path = `/v1/organizations/${tenant.organizationId}/git-connections`;
});

const sealedOf = async (id: string): Promise<string | null> => {
  const sql = 'SELECT sealed_secret AS sealed FROM git_connections WHERE id = $1';
  const [row] = await query<{ sealed: string | null }>(testEnvironment().databaseUrl, sql, [id]);
  return row?.sealed ?? null;
};
const secretOf = async (id: string): Promise<string> =>
  new SecretBox([ENCRYPTION_KEY]).open((await sealedOf(id)) ?? '', `git_connections:${id}`);

describe('a git connection', () => {
  it('has every field but the credential, which is stored encrypted', async () => {
    const { owner, organizationId } = tenant;
    const response = await owner.api.post(path, {
      provider: 'github',
      authKind: 'token',
      token: ' top-secret ',
    });
    expect(response.body).toEqual({
      id: expect.any(String),
      organizationId,
      appId: null,
      name: expect.stringMatching(/^GitHub [0-9a-f]{6}$/),
      provider: 'github',
      authKind: 'token',
      authUsername: null,
      baseUrl: null,
      restricted: false,
      createdBy: owner.userId,
      brokenAt: null,
      lastUsedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await secretOf(response.body.id)).toBe('top-secret');
    await owner.api.patch(`${path}/${response.body.id}`, { token: 'newer-secret' });
    const events = JSON.stringify(await auditEvents(tenant, 'objectType=git-connection'));
    expect(events).toContain('"***"');
    expect(events).not.toMatch(/top-secret|newer-secret|v1\./);
  });

  it('takes addresses in their usual spelling', async () => {
    const { owner } = tenant;
    const connection = await createGitConnection(tenant, { baseUrl: 'HTTPS://Git.Example.COM:443/git//' });
    expect((await owner.api.get(connection.path)).body).toMatchObject({
      baseUrl: 'https://git.example.com/git',
    });
    for (const baseUrl of [
      'git.example.com',
      'ssh://git.example.com',
      'https://a:b@git.example.com',
      'https://x/?a=b',
      5,
    ]) {
      const body = { provider: 'gitea', authKind: 'token', token: 'x', baseUrl };
      expectInvalid(await owner.api.post(path, body), 'baseUrl');
    }
  });

  it.each(['oauth', 'github_app'])('says what to use instead of %s', async (authKind) => {
    const body = { provider: 'github', authKind, userProviderProfileId: 'x' };
    const { message } = expectInvalid(await tenant.owner.api.post(path, body), 'authKind');
    expect(message).toBe(
      `authKind ${authKind} is not supported: use token, with an access token that you create at the provider.`,
    );
  });

  it('needs a new credential for a new kind or address', async () => {
    const { owner } = tenant;
    const connection = await createGitConnection(tenant);
    const baseUrl = 'https://other.example.com';
    expectInvalid(await owner.api.patch(connection.path, { baseUrl }), 'token');
    expectInvalid(await owner.api.patch(connection.path, { authKind: 'basic' }), 'username');
    expectInvalid(await owner.api.patch(connection.path, { baseUrl: null }), 'token');
    expectInvalid(await owner.api.patch(connection.path, { username: 'ada' }), 'username');
    expect((await owner.api.patch(connection.path, { baseUrl, token: 'new' })).body).toMatchObject({
      baseUrl,
    });
    expect(await secretOf(connection.id)).toBe('new');
    const basic = { authKind: 'basic', username: 'ada', password: 'pw' };
    expect((await owner.api.patch(connection.path, basic)).body).toMatchObject({
      authUsername: 'ada',
      baseUrl,
    });
    expect((await owner.api.patch(connection.path, { authKind: 'token', token: 't' })).body).toMatchObject({
      authUsername: null,
    });
  });

  it('keeps the credential from another server, even with two changes at once', async () => {
    const { owner } = tenant;
    for (let round = 0; round < 5; round++) {
      const { path: one, id } = await createGitConnection(tenant, { token: 'old' });
      const evil = 'https://evil.example.com';
      await Promise.all([
        owner.api.patch(one, { baseUrl: evil, token: 'mine' }),
        owner.api.patch(one, { authKind: 'basic', username: 'ada', password: 'pw' }),
        owner.api.patch(one, { baseUrl: evil }),
      ]);
      const { baseUrl } = (await owner.api.get(one)).body as { baseUrl: string };
      if (baseUrl === evil) expect(['mine', 'pw']).toContain(await secretOf(id));
    }
  });

  it('is found by name, provider, text, restriction, app and scope', async () => {
    const { owner } = tenant;
    const app = await createApp(tenant);
    await createGitConnection(tenant, { name: 'Alpha' });
    await createGitConnection(tenant, { name: 'Beta', provider: 'gitlab', restricted: true });
    await createGitConnection(tenant, { name: 'Gamma', appId: app.id });
    const names = async (filter: string): Promise<string[]> => {
      const { body } = await owner.api.get(`${path}?${filter}`);
      return (body as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('')).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(await names('name=ALPHA')).toEqual(['Alpha']);
    expect(await names('provider=gitlab')).toEqual(['Beta']);
    expect(await names('query=mm')).toEqual(['Gamma']);
    expect(await names('restricted=true')).toEqual(['Beta']);
    expect(await names('restricted=false')).toEqual(['Alpha', 'Gamma']);
    expect(await names(`appId=${app.id}`)).toEqual(['Gamma']);
    expect(await names('scope=organization')).toEqual(['Alpha', 'Beta']);
    expectInvalid(
      await owner.api.get(`${path}?provider=cvs&restricted=perhaps&appId=x&scope=all`),
      'provider',
      'restricted',
      'appId',
      'scope',
    );
  });

  it('belongs to an app of the organization only, and goes with it', async () => {
    const foreign = await createApp();
    const body = { provider: 'gitea', authKind: 'token', token: 'x', appId: foreign.id };
    expectError(await tenant.owner.api.post(path, body), 404, 'app_not_found');
    const app = await createApp(tenant);
    const connection = await createGitConnection(tenant, { appId: app.id });
    await app.api.delete(app.path);
    expectError(await tenant.owner.api.get(connection.path), 404, 'git_connection_not_found');
  });
});

describe('the server of a git connection', () => {
  const repository = {
    id: 7,
    name: 'shop',
    full_name: 'acme/shop',
    owner: { login: 'acme' },
    private: true,
    html_url: 'https://git.example.com/acme/shop',
    default_branch: 'main',
  };
  const routes = {
    '/api/v1/user/repos': [repository],
    '/api/v1/repos/acme/shop': repository,
    '/api/v1/user': { id: 1, login: 'ada' },
    '/api/v1/user/orgs': [],
  };
  let server: RestServer;
  beforeEach(async () => {
    server = await RestServer.start(routes, 'token secret-token');
  });
  afterEach(() => server.stop());

  it('lists repositories and namespaces', async () => {
    const { api } = tenant.owner;
    const connection = await createGitConnection(tenant, { baseUrl: server.origin });
    const shop = {
      id: '7',
      name: 'shop',
      namespace: 'acme',
      path: 'acme/shop',
      private: true,
      webUrl: 'https://git.example.com/acme/shop',
      defaultBranch: 'main',
    };
    expect((await api.get(`${connection.path}/repositories`)).body).toEqual([shop]);
    expect((await api.get(`${connection.path}/repositories?query=none`)).body).toEqual([]);
    expect((await api.get(`${connection.path}/repositories?path=acme/shop`)).body).toEqual([shop]);
    for (const unknown of ['acme/none', '../../admin', 'acme/shop%2f..%2fx', 'acme']) {
      expect((await api.get(`${connection.path}/repositories?path=${unknown}`)).body).toEqual([]);
    }
    const namespaces = await api.get(`${connection.path}/namespaces`);
    expect(namespaces.text).not.toContain('null');
    expect(namespaces.body).toEqual([{ id: '1', name: 'ada', slug: 'ada', kind: 'user' }]);
    expect(server.urls.every((url) => url.startsWith('/api/v1/'))).toBe(true);
  });

  it('needs the project with azure_devops', async () => {
    const values = { provider: 'azure_devops', baseUrl: server.origin };
    const connection = await createGitConnection(tenant, values);
    for (const filter of ['', 'namespace=acme', 'namespace=a/b/c']) {
      expectInvalid(await tenant.owner.api.get(`${connection.path}/repositories?${filter}`), 'namespace');
    }
  });

  it('is called by the creator of a restricted connection only', async () => {
    const admin = await createMember(tenant, 'admin');
    const connection = await createGitConnection(tenant, { baseUrl: server.origin, restricted: true }, admin);
    expect((await admin.api.get(`${connection.path}/repositories`)).status).toBe(200);
    for (const what of ['repositories', 'namespaces']) {
      expectError(await tenant.owner.api.get(`${connection.path}/${what}`), 403, 'git_connection_restricted');
    }
    expectError(await tenant.owner.api.patch(connection.path, { restricted: false }), 403, 'not_authorized');
    expect((await admin.api.patch(connection.path, { restricted: false })).body).toMatchObject({
      restricted: false,
    });
    expect((await tenant.owner.api.get(`${connection.path}/repositories`)).status).toBe(200);
  });

  it('marks the connection as broken when it refuses the credential, until it works again', async () => {
    const { api } = tenant.owner;
    const connection = await createGitConnection(tenant, { baseUrl: server.origin, token: 'wrong-secret' });
    const refused = await api.get(`${connection.path}/repositories`);
    const { message } = expectError(refused, 400, 'git_credentials_refused');
    expect(message).toContain(connection.name);
    expect(message).not.toContain('wrong-secret');
    const { body: broken } = await api.get(connection.path);
    expect(broken).toMatchObject({ brokenAt: expect.any(String), lastUsedAt: expect.any(String) });
    expect((await api.patch(connection.path, { token: 'secret-token' })).body).toMatchObject({
      brokenAt: null,
    });
    await api.get(`${connection.path}/repositories`);
    server.routes = { '/api/v1/user/repos': new CannedResponse(403) };
    expectError(await api.get(`${connection.path}/repositories`), 400, 'git_credentials_refused');
    expect((await api.get(connection.path)).body).toMatchObject({ brokenAt: expect.any(String) });
    server.routes = routes;
    expect((await api.get(`${connection.path}/repositories`)).status).toBe(200);
    expect((await api.get(connection.path)).body).toMatchObject({
      brokenAt: null,
      updatedAt: expect.any(String),
    });
  });

  it('writes the time of the last use every few minutes only', async () => {
    const { api } = tenant.owner;
    const connection = await createGitConnection(tenant, { baseUrl: server.origin });
    const used = async (): Promise<string> => {
      await api.get(`${connection.path}/repositories`);
      return ((await api.get(connection.path)).body as { lastUsedAt: string }).lastUsedAt;
    };
    const first = await used();
    expect(await used()).toBe(first);
    const earlier = `UPDATE git_connections SET last_used_at = now() - interval '6 minutes' WHERE id = $1`;
    await query(testEnvironment().databaseUrl, earlier, [connection.id]);
    expect(Date.parse(await used())).toBeGreaterThan(Date.parse(first));
  });

  it.each([
    ['http://169.254.169.254', /not a public address/],
    ['http://127.0.0.2', /not a public address/],
    ['http://[::1]', /not a public address/],
    ['http://2852039166', /not a public address/],
    [DEAD_SERVER, /refuses the connection/],
    ['https://no-such-host.invalid', /cannot be resolved/],
  ])('is not called at %s', async (baseUrl, message) => {
    const connection = await createGitConnection(tenant, { baseUrl });
    const response = await tenant.owner.api.get(`${connection.path}/repositories`);
    expect(expectError(response, 400, 'git_server_failed').message).toMatch(message);
  });

  it.each([
    ['redirects to a metadata service', new CannedResponse(302, '', { location: 'http://169.254.169.254/' })],
    ['sends 10 GB', new CannedResponse(200, '[]', { 'content-length': '10737418240' })],
    ['sends no JSON', new CannedResponse(200, '<html>secret-token</html>')],
    ['fails', new CannedResponse(500, 'secret-token')],
  ])('does not harm when it %s', async (_, answer) => {
    server.routes = { '/api/v1/user/repos': answer };
    const connection = await createGitConnection(tenant, { baseUrl: server.origin });
    const response = await tenant.owner.api.get(`${connection.path}/repositories`);
    expect(expectError(response, 400, 'git_server_failed').message).not.toContain('secret');
  });

  it('does not harm when its headers never end', async () => {
    const endless = await LocalServer.start((_, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${`X-A: ${'x'.repeat(1000)}\r\n`.repeat(100)}`);
    });
    const connection = await createGitConnection(tenant, { baseUrl: endless.origin });
    const response = await tenant.owner.api.get(`${connection.path}/repositories`);
    expectError(response, 400, 'git_server_failed');
    await endless.stop();
  });
});

describe('resolve', () => {
  const resolve = async (
    remoteUrl: string,
    more = '',
  ): Promise<{ gitConnections: { name: string }[]; path: string; provider: string | null }> => {
    const response = await tenant.owner.api.get(
      `${path}/resolve?remoteUrl=${encodeURIComponent(remoteUrl)}${more}`,
    );
    expect(response.status).toBe(200);
    return response.body;
  };

  it('finds the connections to the server of a remote, those of the app first', async () => {
    const app = await createApp(tenant);
    const admin = await createMember(tenant, 'admin');
    const github = { provider: 'github', baseUrl: null };
    await createGitConnection(tenant, { ...github, name: 'All' });
    await createGitConnection(tenant, { ...github, name: 'Own', appId: app.id });
    await createGitConnection(tenant, { ...github, name: 'Foreign', restricted: true }, admin);
    await createGitConnection(tenant, { name: 'Server', baseUrl: 'https://git.example.com:8443/git' });
    const names = async (remote: string, more?: string): Promise<string[]> =>
      (await resolve(remote, more)).gitConnections.map(({ name }) => name);
    expect(await names('git@github.com:acme/shop.git')).toEqual(['All']);
    expect(await names('git@github.com:acme/shop.git', `&appId=${app.id}`)).toEqual(['Own', 'All']);
    expect(await names('ssh://git@git.example.com:22/acme/shop.git')).toEqual(['Server']);
    expect(await resolve('https://git.example.com/git/acme/shop.git')).toMatchObject({
      path: 'acme/shop',
      provider: 'gitea',
    });
    expect(await resolve('https://gitlab.com/acme/mobile/shop.git')).toEqual({
      gitConnections: [],
      path: 'acme/mobile/shop',
      provider: 'gitlab',
    });
    expect(await resolve('https://unknown.example.com/acme/shop')).toMatchObject({ provider: null });
  });

  it('refuses what is no remote, and apps of others', async () => {
    for (const remote of ['', 'shop', '/srv/shop.git', 'ext::sh -c id']) {
      const response = await tenant.owner.api.get(`${path}/resolve?remoteUrl=${encodeURIComponent(remote)}`);
      expectInvalid(response, 'remoteUrl');
    }
    const foreign = await createApp();
    const response = await tenant.owner.api.get(
      `${path}/resolve?remoteUrl=git@github.com:a/b&appId=${foreign.id}`,
    );
    expectError(response, 404, 'app_not_found');
  });
});
