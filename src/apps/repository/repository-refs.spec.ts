import { newLimits } from '../../../test/support/limits.js';
import { spawn } from 'node:child_process';
import { GitServer, hasGit } from '../../../test/support/git/git-server.js';
import { localOutbound } from '../../../test/support/git/outbound.js';
import { CannedResponse, RestServer, type RestRoutes } from '../../../test/support/git/rest-server.js';
import type { GitConnection } from '../../organizations/git-connections/git-connection.entity.js';
import { GitConnectionUseService } from '../../organizations/git-connections/git-connection-use.service.js';
import type { GitConnectionsQueries } from '../../organizations/git-connections/git-connections.queries.js';
import type { GitConnectionsService } from '../../organizations/git-connections/git-connections.service.js';
import { GitProviderClients } from '../../organizations/git-providers/git-provider-clients.js';
import { packet } from '../../organizations/git-remotes/pkt-line.js';
import type { AppRepository } from './app-repository.entity.js';
import type { LinkedRepositoryService } from './linked-repository.service.js';
import { RepositoryRefsService } from './repository-refs.service.js';

const APP = 'app';
const ADA = 'ada';
const outbound = localOutbound();

/** What would be written to the database. */
const recorded: string[] = [];

/** The service without a database: everything that it calls by HTTP is real. */
function refsOf(repository: object, connection: object | null, secret: string | null): RepositoryRefsService {
  const linked = { repository: repository as AppRepository, connection: connection as GitConnection | null };
  const links = { getWithConnection: () => Promise.resolve(linked) } as unknown as LinkedRepositoryService;
  const connections = { secretOf: () => secret } as unknown as GitConnectionsService;
  const queries = {
    recordSuccess: () => Promise.resolve(recorded.push('success')),
    recordRefusal: () => Promise.resolve(recorded.push('refusal')),
  } as unknown as GitConnectionsQueries;
  const gitUse = new GitConnectionUseService(
    connections,
    queries,
    new GitProviderClients(outbound),
    newLimits(),
  );
  return new RepositoryRefsService(links, gitUse);
}

const connectionTo = (provider: string, baseUrl: string, more: object = {}): object => ({
  id: 'c',
  name: 'Git',
  provider,
  baseUrl,
  authKind: 'basic',
  authUsername: 'ada',
  restricted: false,
  createdBy: ADA,
  sealedSecret: 'v1.x',
  ...more,
});

beforeEach(() => {
  recorded.length = 0;
});

(hasGit ? describe : describe.skip)('refs of a plain git server', () => {
  let git: GitServer;
  let refs: RepositoryRefsService;
  let first: string;
  let second: string;

  beforeAll(async () => {
    git = await GitServer.start({ credentials: 'ada:pw' });
    git.create('shop.git');
    first = git.commit('shop.git', 'main', 'First');
    git.git('shop.git', ['tag', 'v1']);
    git.git('shop.git', ['update-ref', 'refs/pull/1/head', first]);
    second = git.commit('shop.git', 'main', 'Second');
    git.git('shop.git', ['update-ref', 'refs/tags/main', first]);
    git.git('shop.git', ['update-ref', 'refs/heads/other', second]);
    const link = { provider: 'git_http', path: 'shop.git', submoduleRepositories: ['lib.git'], gitDepth: 50 };
    refs = refsOf(link, connectionTo('git_http', git.origin), 'pw');
  });
  afterAll(() => git.stop());

  it('finds the commits of branches, tags and commit ids', async () => {
    const commitOf = async (ref: string): Promise<string> => (await refs.resolveRef(APP, ref, ADA)).commitSha;
    expect(await refs.resolveRef(APP, ' main ', ADA)).toEqual({
      ref: 'main',
      commitSha: second,
      commitMessage: null,
      fullName: 'refs/heads/main',
      isDefaultBranch: true,
    });
    expect(await commitOf('refs/tags/main')).toBe(first);
    expect(await commitOf('v1')).toBe(first);
    expect(await commitOf('HEAD')).toBe(second);
    expect(await commitOf(first.toUpperCase())).toBe(first);
    expect(recorded.every((what) => what === 'success')).toBe(true);
  });

  it.each([
    ['main', true],
    ['refs/heads/main', true],
    ['HEAD', true],
    ['other', false],
    ['refs/tags/main', false],
    ['v1', false],
  ])('recognizes the default branch by its name: %s', async (ref, isDefaultBranch) => {
    expect(await refs.resolveRef(APP, ref, ADA)).toMatchObject({ isDefaultBranch });
  });

  it('limits HEAD as the branch that it is', async () => {
    expect(await refs.resolveRef(APP, 'HEAD', ADA)).toMatchObject({
      ref: 'HEAD',
      fullName: 'refs/heads/main',
    });
  });

  it('does not take a commit of the default branch for the branch', async () => {
    const commit = await refs.resolveRef(APP, second, ADA);
    expect(commit).toMatchObject({ fullName: null, isDefaultBranch: false });
  });

  it.each([
    'none',
    'refs/heads/none',
    '-u',
    'a..b',
    'main\n2',
    'refs/pull/1/head',
    'refs/merge-requests/1/head',
    'pull/1/head',
    '',
  ])('refuses the ref %j', async (ref) => {
    await expect(refs.resolveRef(APP, ref, ADA)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_git_ref',
    });
  });

  it('says where to fetch, and how', async () => {
    const authorization = `Basic ${Buffer.from('ada:pw').toString('base64')}`;
    expect(await refs.checkoutOf(APP)).toEqual({
      url: `${git.origin}/shop.git`,
      depth: 50,
      credential: { authorization, submoduleRepositories: ['lib.git'], hasExactPaths: true },
    });
    const link = { provider: 'git_http', providerBaseUrl: git.origin, path: 'shop.git', gitDepth: 1 };
    expect(await refsOf(link, null, null).checkoutOf(APP)).toEqual({
      url: `${git.origin}/shop.git`,
      depth: 1,
      credential: null,
    });
  });

  it('can be run by git as it says', async () => {
    const { url, credential } = await refs.checkoutOf(APP);
    git.create('copy.git');
    const origin = new URL(url).origin;
    const header = ['-c', `http.${origin}/.extraHeader=Authorization: ${credential?.authorization ?? ''}`];
    // The server of the test answers in this process, so git must not block it.
    const child = spawn('git', ['-C', git.folderOf('copy.git'), ...header, 'ls-remote', url], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    expect(output).toContain(`${second}\trefs/heads/main`);
  });

  it('reports refused credentials, and what can no longer be seen', async () => {
    const wrong = refsOf(
      { provider: 'git_http', path: 'shop.git' },
      connectionTo('git_http', git.origin),
      'no',
    );
    const refusal = { status: 400, code: 'git_credentials_refused' };
    await expect(wrong.resolveRef(APP, 'main', ADA)).rejects.toMatchObject(refusal);
    await expect(wrong.resolveRef(APP, first, ADA)).rejects.toMatchObject(refusal);
    expect(recorded).toEqual(['refusal', 'refusal']);
    const open = refsOf({ provider: 'git_http', providerBaseUrl: git.origin, path: 'shop.git' }, null, null);
    await expect(open.resolveRef(APP, 'main', ADA)).rejects.toMatchObject({ code: 'git_server_failed' });
  });

  it('lets only its creator use a restricted connection', async () => {
    const connection = connectionTo('git_http', git.origin, { restricted: true });
    const restricted = refsOf({ provider: 'git_http', path: 'shop.git' }, connection, 'pw');
    expect((await restricted.resolveRef(APP, 'main', ADA)).commitSha).toBe(second);
    const others = restricted.resolveRef(APP, 'main', 'bob');
    await expect(others).rejects.toMatchObject({ status: 403, code: 'git_connection_restricted' });
  });
});

describe('refs of a provider with an API', () => {
  const sha = 'a1b2c3d4e5'.repeat(4);
  const advertisement = `${packet('# service=git-upload-pack\n')}0000${packet(`${sha} refs/heads/main\0\n`)}0000`;
  const commit = { sha, commit: { message: 'Fix\n\nAll' } };
  const api = '/api/v1/repos/acme/shop/git/commits';
  const git = { '/acme/shop.git/info/refs': new CannedResponse(200, advertisement) };

  const resolve = async (routes: RestRoutes, ref: string): Promise<unknown> => {
    const server = await RestServer.start({ ...git, ...routes });
    const refs = refsOf({ provider: 'gitea', path: 'acme/shop' }, connectionTo('gitea', server.origin), 'pw');
    return refs.resolveRef(APP, ref, ADA).finally(() => server.stop());
  };

  it('adds the message', async () => {
    // The server does not say which branch is the default one.
    const found = { ref: 'main', commitSha: sha, commitMessage: 'Fix\n\nAll', isDefaultBranch: false };
    const fullName = 'refs/heads/main';
    expect(await resolve({ [`${api}/${sha}`]: commit }, 'main')).toEqual({ ...found, fullName });
    expect(await resolve({ [`${api}/${sha}`]: commit }, sha)).toEqual({
      ...found,
      ref: sha,
      fullName: null,
    });
  });

  it('does without the message of an API that the credentials do not open', async () => {
    for (const answer of [new CannedResponse(403), new CannedResponse(500), new CannedResponse(404)]) {
      expect(await resolve({ [`${api}/${sha}`]: answer }, 'main')).toMatchObject({
        commitSha: sha,
        commitMessage: null,
      });
    }
    expect(new Set(recorded)).toEqual(new Set(['success']));
  });

  it('takes the beginning of a commit id, if the API knows it', async () => {
    expect(await resolve({ [`${api}/a1b2c3d`]: commit }, 'a1b2c3d')).toMatchObject({ commitSha: sha });
    const other = { sha: 'b'.repeat(40), commit: { message: '' } };
    for (const answer of [new CannedResponse(404), other, { sha: 'a1b2c3d' }]) {
      await expect(resolve({ [`${api}/a1b2c3d`]: answer }, 'a1b2c3d')).rejects.toMatchObject({
        code: 'invalid_git_ref',
      });
    }
  });
});
