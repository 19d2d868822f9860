import { createApp, type TestApp } from '../builders/app.js';
import { createGitConnection } from '../builders/git-connection.js';
import { createMember } from '../builders/identities.js';
import { setGitRemote } from '../support/git/git-remote.js';
import { hasGit } from '../support/git/git-server.js';
import { RestServer } from '../support/git/rest-server.js';
import { Cli } from '../support/processes/cli.js';

/** What each provider answers at a base URL. */
const routes = {
  '/api/v3/repos/acme/shop': {
    id: 1,
    name: 'shop',
    full_name: 'acme/shop',
    html_url: 'https://github.com/acme/shop',
  },
  '/api/v4/projects/acme%2Fmobile%2Fshop': {
    id: 2,
    name: 'shop',
    path_with_namespace: 'acme/mobile/shop',
    web_url: 'https://gitlab.com/acme/mobile/shop',
  },
  '/rest/api/latest/projects/acme/repos/shop': {
    id: 3,
    slug: 'shop',
    project: { key: 'acme' },
    links: { self: [{ href: 'https://bitbucket.org/acme/shop' }] },
  },
  '/acme/mobile/_apis/git/repositories/shop': {
    id: '4',
    name: 'shop',
    webUrl: 'https://dev.azure.com/acme/mobile/_git/shop',
  },
};

let server: RestServer;
let app: TestApp;
let cli: Cli;

beforeAll(async () => {
  server = await RestServer.start(routes);
});
afterAll(() => server.stop());

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const link = ['apps:link', '--app-id'] as const;

// The tool itself runs git.
const withGit = hasGit ? it : it.skip;

withGit.each([
  ['github', 'https://github.com/acme/shop.git', 'acme/shop', '1'],
  ['github', 'git@github.com:acme/shop.git', 'acme/shop', '1'],
  ['gitlab', 'https://gitlab.com/acme/mobile/shop.git', 'acme/mobile/shop', '2'],
  ['gitlab', 'git@gitlab.com:acme/mobile/shop.git', 'acme/mobile/shop', '2'],
  ['bitbucket', 'https://bitbucket.org/acme/shop.git', 'acme/shop', '3'],
  ['azure_devops', 'https://dev.azure.com/acme/mobile/_git/shop', 'acme/mobile/shop', '4'],
  ['azure_devops', 'https://acme.visualstudio.com/mobile/_git/shop', 'acme/mobile/shop', '4'],
])('links a repository of %s with the remote %s, and unlinks it', async (provider, remote, path, id) => {
  const connection = await createGitConnection(app.tenant, { provider, baseUrl: server.origin });
  setGitRemote(cli.folder, remote);
  expect(await cli.succeed(...link, app.id)).toContain('Repository connected successfully.');
  expect((await app.api.get(`${app.path}/repository`)).body).toMatchObject({
    provider,
    path,
    providerRepositoryId: id,
    gitConnectionId: connection.id,
  });
  expect(await cli.succeed('apps:unlink', '--app-id', app.id, '--yes')).toContain(
    'disconnected successfully',
  );
  expect((await app.api.get(`${app.path}/repository`)).status).toBe(404);
});

withGit('prints how to add a connection, and what is wrong with those that there are', async () => {
  setGitRemote(cli.folder, 'https://github.com/acme/none.git');
  await createGitConnection(app.tenant, {
    provider: 'github',
    baseUrl: 'https://10.255.0.1',
    name: 'Inside',
  });
  const { exitCode, stderr } = await cli.run(...link, app.id);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('No git connection sees acme/none.');
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    '10.255.0.1 is not a public address. An operator of this server can allow it: add git=10.255.0.1 to OUTBOUND_ALLOW.',
  );
});

withGit('refuses members, and apps of others', async () => {
  setGitRemote(cli.folder, 'https://github.com/acme/shop.git');
  const member = await createMember(app.tenant, 'member');
  const theirs = await Cli.create(member.token);
  setGitRemote(theirs.folder, 'https://github.com/acme/shop.git');
  expect(await theirs.run(...link, app.id)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Not authorized.'),
  });
  const foreign = await createApp();
  expect(await cli.run(...link, foreign.id)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('App not found.'),
  });
  const unlink = await cli.run('apps:unlink', '--app-id', app.id, '--yes');
  expect(unlink).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('not linked to a repository'),
  });
});
