import { createApp } from '../../builders/app.js';
import { createGitConnection, DEAD_SERVER } from '../../builders/git-connection.js';
import { createTenant } from '../../builders/identities.js';
import { CannedResponse, RestServer } from '../../support/git/rest-server.js';
import { OwnSite } from '../../support/servers/own-site.js';

const SECRET = 'very-secret-token';
const PASSWORD = 'very-secret-password';

it('shows credentials of git connections in no response, log or row', async () => {
  const site = await OwnSite.start({ LOG_LEVEL: 'trace' });
  const server = await RestServer.start({ '/api/v1/user/repos': new CannedResponse(500, SECRET) });
  const tenant = await createTenant(site);
  const { api } = tenant.owner;
  const app = await createApp(tenant);
  const texts: string[] = [];
  const read = async (path: string): Promise<void> => {
    texts.push((await api.request('get', path)).text);
  };
  const basic = { authKind: 'basic', token: undefined, username: 'ada', password: PASSWORD };
  for (const baseUrl of [
    server.origin,
    DEAD_SERVER,
    'http://169.254.169.254',
    'https://no-such-host.invalid',
  ]) {
    for (const credential of [{ token: SECRET }, basic]) {
      for (const provider of ['gitea', 'git_http']) {
        const { id, path } = await createGitConnection(tenant, { provider, baseUrl, ...credential });
        for (const what of ['', '/repositories', '/repositories?path=acme/shop', '/namespaces'])
          await read(path + what);
        const link = await api
          .request('put', `${app.path}/repository`)
          .send({ gitConnectionId: id, path: 'acme/shop' });
        texts.push(link.text);
        // Wrong in another field: the response repeats no value.
        const change = { baseUrl: 'ftp://x', ...credential };
        texts.push((await api.request('patch', path).send(change)).text);
      }
    }
  }
  const remote = encodeURIComponent(`https://ada:${PASSWORD}@git.example.com/acme/shop.git`);
  await read(`/v1/organizations/${tenant.organizationId}/git-connections/resolve?remoteUrl=${remote}`);
  await read(`/v1/organizations/${tenant.organizationId}/audit-events?limit=100`);
  const rows = await site.query('SELECT to_jsonb(git_connections) FROM git_connections', []);
  const all = [...texts, ...site.server.log, JSON.stringify(rows)].join('\n');
  const encoded = Buffer.from(`ada:${PASSWORD}`).toString('base64');
  for (const secret of [SECRET, PASSWORD, encoded, Buffer.from(SECRET).toString('base64')]) {
    expect(all).not.toContain(secret);
  }
  expect(site.server.log.some((line) => line.includes('git-connections'))).toBe(true);
  await server.stop();
  await site.dispose();
});
