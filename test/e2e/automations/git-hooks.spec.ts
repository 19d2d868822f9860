import { createHmac, randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { expectError } from '../../support/http/expect-error.js';
import { uniqueName } from '../../support/unique-name.js';

interface Hook {
  readonly address: string;
  readonly header: string | null;
  readonly secret: string;
  readonly otherApps: readonly { name: string }[];
}

const { databaseUrl } = testEnvironment();
const ZEROS = '0'.repeat(40);

// Only a machine without git may skip these.
(hasGit ? describe : describe.skip)('a hook', () => {
  let git: GitServer;
  let app: TestApp;
  let repository: string;
  let first: string;
  const api: Record<string, unknown> = {};
  const moved: Record<string, string> = {};

  beforeAll(async () => {
    git = await GitServer.start({ api, moved });
  });
  afterAll(() => git.stop());

  beforeEach(async () => {
    app = await createApp();
    repository = `acme/${uniqueName('shop')}`;
    git.create(`${repository}.git`);
    first = git.commit(`${repository}.git`, 'main', 'First');
  });

  const push = (message: string): string => git.commit(`${repository}.git`, 'main', message);

  async function linkByHttp(target = app): Promise<void> {
    const credentials = { authKind: 'basic', username: 'ada', token: undefined, password: 'pw' };
    const connection = { provider: 'git_http', baseUrl: git.origin, ...credentials };
    const { id: gitConnectionId } = await createGitConnection(target.tenant, connection);
    const body = { gitConnectionId, path: `${repository}.git` };
    expect((await target.api.put(`${target.path}/repository`, body)).status).toBe(200);
  }

  /** Links the app to a repository of a GitHub Enterprise Server. */
  async function linkAtGitHub(): Promise<void> {
    const [owner = '', name = ''] = repository.split('/');
    api[`/api/v3/repos/${repository}`] = {
      id: 42,
      name,
      full_name: repository,
      owner: { login: owner },
      private: true,
      html_url: `${git.origin}/${repository}`,
      default_branch: 'main',
    };
    const { id: gitConnectionId } = await createGitConnection(app.tenant, {
      provider: 'github',
      baseUrl: git.origin,
    });
    const linked = await app.api.put(`${app.path}/repository`, { gitConnectionId, path: repository });
    expect(linked.status).toBe(200);
  }

  async function rotate(target = app): Promise<Hook> {
    const { status, body } = await target.api.post(`${target.path}/repository/hook/rotate-secret`);
    expect(status).toBe(200);
    return body as Hook;
  }

  const hookOf = async (target = app): Promise<object> =>
    (await target.api.get(`${target.path}/repository/hook`)).body as object;

  /** Sends an event as GitHub does. */
  function deliver(hook: Hook, body: string, headers: Record<string, string> = {}): Promise<Response> {
    const signature = `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`;
    const own = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature };
    return fetch(hook.address, { method: 'POST', headers: { ...own, ...headers }, body });
  }

  const pushed = (before: string, after: string, ref = 'refs/heads/main'): string =>
    JSON.stringify({ ref, before, after, repository: { full_name: 'someone/else' } });

  /** An automation that waits for pushes. */
  async function waiting(values: object = {}): Promise<TestAutomation> {
    const automation = await createAutomation(app, values);
    await eventually(async () => {
      const sql = 'SELECT refs_recorded_at AS time FROM automations WHERE id = $1';
      expect(await query(databaseUrl, sql, [automation.id])).toEqual([{ time: expect.any(Date) as Date }]);
    });
    return automation;
  }

  const builds = async (): Promise<object[]> => (await app.api.get(`${app.path}/builds`)).body as object[];
  const gitEvents = async (): Promise<object[]> =>
    (await app.api.get(`${app.path}/git-events`)).body as object[];
  const builtOnce = (sha: string): Promise<void> =>
    eventually(async () => expect(await builds()).toMatchObject([{ gitCommitSha: sha }]));

  it('of GitHub lets a push be built, whatever else the body says', async () => {
    await linkAtGitHub();
    await waiting();
    const hook = await rotate();
    expect(hook.address).toMatch(/\/v1\/git-events\/github\/[0-9a-f-]{36}$/);
    const second = push('Second');
    expect((await deliver(hook, pushed(first, second))).status).toBe(202);
    await builtOnce(second);
    expect(await hookOf()).toMatchObject({
      provider: 'github',
      address: hook.address,
      lastEventAt: expect.any(String) as string,
      lastError: null,
      lastLookError: null,
    });
    const { body: events } = await app.api.get(
      `/v1/organizations/${app.tenant.organizationId}/events?types=git_push`,
    );
    expect(events).toMatchObject({ events: [{ data: { gitRef: 'refs/heads/main', gitCommitSha: second } }] });
  });

  it('follows a repository that was renamed, and stops when another one has its path', async () => {
    await linkAtGitHub();
    const automation = await waiting();
    const hook = await rotate();
    const renamed = `${repository}-renamed`;
    const description = api[`/api/v3/repos/${repository}`] as object;
    const present = { ...description, name: renamed.split('/')[1], full_name: renamed };
    api[`/api/v3/repositories/42`] = present;
    api[`/api/v3/repos/${renamed}`] = present;
    // As GitHub does until another repository has the path.
    api[`/api/v3/repos/${repository}`] = '/api/v3/repositories/42';
    moved[`${repository}.git`] = `${renamed}.git`;
    renameSync(git.folderOf(`${repository}.git`), git.folderOf(`${renamed}.git`));
    const second = git.commit(`${renamed}.git`, 'main', 'Second');
    expect((await deliver(hook, pushed(first, second))).status).toBe(202);
    await eventually(async () => {
      const { body } = await app.api.get(`${app.path}/repository`);
      expect(body).toMatchObject({ path: renamed });
    });
    await query(databaseUrl, 'UPDATE repository_looks SET next_look_at = now() WHERE app_id = $1', [app.id]);
    await builtOnce(second);

    api[`/api/v3/repos/${renamed}`] = { ...present, id: 43 };
    api[`/api/v3/repositories/42`] = { ...present, id: 43 };
    git.commit(`${renamed}.git`, 'main', 'Of another repository');
    expect((await deliver(hook, '{}')).status).toBe(202);
    await eventually(async () => {
      expect((await app.api.get(automation.path)).body).toMatchObject({
        enabled: false,
        stoppedReason: 'Another repository has the path of the repository now.',
      });
    });
    expect(await builds()).toHaveLength(1);
  });

  it('stops when its server says that the repository is gone', async () => {
    await linkAtGitHub();
    const automation = await waiting();
    delete api[`/api/v3/repos/${repository}`];
    delete api['/api/v3/repositories/42'];
    rmSync(git.folderOf(`${repository}.git`), { recursive: true });
    await query(databaseUrl, 'UPDATE repository_looks SET next_look_at = now() WHERE app_id = $1', [app.id]);
    await eventually(async () => {
      expect((await app.api.get(automation.path)).body).toMatchObject({
        enabled: false,
        stoppedReason: `The repository ${repository} is gone, or can no longer be seen.`,
      });
    });
  });

  it('builds the newest commit without [skip ci] that was pushed since the last one', async () => {
    await linkAtGitHub();
    await waiting({ triggerPattern: 'main' });
    const hook = await rotate();
    const describeCommit = (sha: string, message: string, parent: string): void => {
      api[`/api/v3/repos/${repository}/commits/${sha}`] = {
        sha,
        commit: { message },
        parents: [{ sha: parent }],
      };
    };
    const second = push('Second');
    const third = push('Third [skip ci]');
    const fourth = push('Fourth\n\n[Skip CI]');
    describeCommit(second, 'Second', first);
    describeCommit(third, 'Third [skip ci]', second);
    describeCommit(fourth, 'Fourth\n\n[Skip CI]', third);
    expect((await deliver(hook, pushed(first, fourth))).status).toBe(202);
    await builtOnce(second);
    expect(await builds()).toMatchObject([{ gitRef: 'refs/heads/main', gitCommitMessage: 'Second' }]);
    const skipped = { outcome: 'skipped', reason: 'skip_ci' };
    const events = await gitEvents();
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...skipped, gitCommitSha: fourth }),
        expect.objectContaining({ outcome: 'built', gitCommitSha: second }),
      ]),
    );
    const fifth = push('Fifth [skip ci]');
    describeCommit(fifth, 'Fifth [skip ci]', fourth);
    expect((await deliver(hook, pushed(fourth, fifth))).status).toBe(202);
    await eventually(async () => {
      expect(await gitEvents()).toEqual(
        expect.arrayContaining([expect.objectContaining({ ...skipped, gitCommitSha: fifth })]),
      );
    });
    expect(await builds()).toHaveLength(1);
  });

  it('of a commit with [skip ci] that does not follow the last one builds nothing', async () => {
    await linkAtGitHub();
    await waiting();
    const hook = await rotate();
    const describeCommit = (sha: string, message: string, parents: object[]): void => {
      api[`/api/v3/repos/${repository}/commits/${sha}`] = { sha, commit: { message }, parents };
    };
    const second = push('Second');
    describeCommit(first, 'First', []);
    describeCommit(second, 'Second', [{ sha: first }]);
    expect((await deliver(hook, pushed(first, second))).status).toBe(202);
    await builtOnce(second);
    git.git(`${repository}.git`, ['update-ref', 'refs/heads/main', first]);
    const amended = push('Amended [skip ci]');
    describeCommit(amended, 'Amended [skip ci]', [{ sha: first }]);
    git.git(`${repository}.git`, ['update-ref', 'refs/heads/new', amended]);
    expect((await deliver(hook, '{}')).status).toBe(202);
    await eventually(async () => {
      const events = await gitEvents();
      for (const gitRef of ['refs/heads/main', 'refs/heads/new']) {
        const skipped = { reason: 'skip_ci', gitRef, gitCommitSha: amended };
        expect(events).toEqual(expect.arrayContaining([expect.objectContaining(skipped)]));
      }
    });
    expect(await builds()).toHaveLength(1);
    const pushes = `/v1/organizations/${app.tenant.organizationId}/events?types=git_push&order=newest`;
    expect((await app.api.get(pushes)).body).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({
          data: expect.objectContaining({
            gitCommitSha: amended,
            gitCommitMessage: 'Amended [skip ci]',
          }) as object,
        }) as object,
      ]) as object[],
    });
  });

  it('of a tag with [skip ci] builds nothing, and no older commit', async () => {
    await linkAtGitHub();
    await waiting({ triggerType: 'tag' });
    const second = push('Second [skip ci]');
    api[`/api/v3/repos/${repository}/commits/${second}`] = {
      sha: second,
      commit: { message: 'Second [skip ci]' },
      parents: [{ sha: first }],
    };
    git.git(`${repository}.git`, ['tag', 'v1', second]);
    expect((await deliver(await rotate(), '{}')).status).toBe(202);
    await eventually(async () => {
      expect(await gitEvents()).toMatchObject([
        { reason: 'skip_ci', gitRef: 'refs/tags/v1', gitCommitSha: second },
      ]);
    });
    expect(await builds()).toEqual([]);
  });

  it('builds nothing that the repository does not have', async () => {
    await linkAtGitHub();
    await waiting();
    const hook = await rotate();
    const claimed = 'a'.repeat(40);
    expect((await deliver(hook, pushed(first.replace(/./g, 'b'), claimed))).status).toBe(202);
    await eventually(async () => {
      expect(await gitEvents()).toMatchObject([
        { reason: 'same_commit', gitRef: 'refs/heads/main', gitCommitSha: claimed, appAutomationId: null },
      ]);
    });
    expect(await builds()).toEqual([]);
  });

  it('says why a push of another branch was not built, and nothing of one that was deleted', async () => {
    await linkByHttp();
    await waiting({ triggerPattern: 'main' });
    const hook = await rotate();
    const headers = { [hook.header ?? '']: hook.secret };
    const other = 'refs/heads/other';
    expect((await deliver(hook, pushed(first, ZEROS, 'refs/heads/gone'), headers)).status).toBe(202);
    expect((await deliver(hook, pushed(ZEROS, first, other), headers)).status).toBe(202);
    await eventually(async () => {
      expect(await gitEvents()).toMatchObject([{ reason: 'pattern', gitRef: other, outcome: 'skipped' }]);
    });
  });

  it('waits for a server that still shows the older commit', async () => {
    await linkByHttp();
    await waiting();
    const hook = await rotate();
    const headers = { [hook.header ?? '']: hook.secret };
    // The id of the next commit, which is then taken back: it depends on nothing but its content.
    const second = push('Second');
    git.git(`${repository}.git`, ['update-ref', 'refs/heads/main', first]);
    expect((await deliver(hook, pushed(first, second), headers)).status).toBe(202);
    await eventually(async () => {
      expect(await hookOf()).toMatchObject({ lastEventAt: expect.any(String) as string });
      const looked = `SELECT FROM repository_looks WHERE app_id = $1 AND looked_at > reported_at AND next_look_at < now() + interval '10 seconds'`;
      expect(await query(databaseUrl, looked, [app.id])).toHaveLength(1);
    });
    expect(await gitEvents()).toEqual([]);
    git.git(`${repository}.git`, ['update-ref', 'refs/heads/main', second]);
    await builtOnce(second);
  });

  it('takes what it cannot read as a push to any branch', async () => {
    await linkByHttp();
    await waiting();
    const hook = await rotate();
    const second = push('Second');
    const headers = { [hook.header ?? '']: hook.secret, 'Content-Type': 'application/x-www-form-urlencoded' };
    const large = `payload=${'x'.repeat(25_000_000)}`;
    expect((await deliver(hook, large, headers)).status).toBe(202);
    await builtOnce(second);
  });

  it('is the same 404 with another secret, signature, kind or id, and says so to its users', async () => {
    await linkAtGitHub();
    const hook = await rotate();
    const body = pushed(first, first);
    const refused = async (address: string, secret: string, headers: Record<string, string> = {}) => {
      const response = await deliver({ ...hook, address, secret }, body, headers);
      const { code, message } = (await response.json()) as { code: string; message: string };
      return `${response.status} ${code} ${message}`;
    };
    const expected = '404 git_hook_not_found Git hook not found.';
    const { address, secret } = hook;
    const attempts = [
      refused(address, 'another'),
      refused(address, secret, { 'X-Hub-Signature-256': '' }),
      refused(address, secret, { 'X-Hub-Signature-256': 'sha1=00' }),
      refused(address.replace('/github/', '/git_http/'), secret, { 'X-Hook-Token': secret }),
      refused(address.replace('/github/', '/gitlab/'), secret),
      refused(address.replace(/[^/]+$/, randomUUID()), secret),
      refused(address.replace(/[^/]+$/, 'x'), secret),
    ];
    expect(await Promise.all(attempts)).toEqual(attempts.map(() => expected));
    expect(await hookOf()).toMatchObject({
      lastEventAt: null,
      lastError: 'X-Hub-Signature-256 was not made with the secret of the hook.',
    });
    const after = await rotate();
    expect(after.address).toBe(address);
    expect(await refused(address, secret)).toBe(expected);
    expect((await deliver(after, body)).status).toBe(202);
  });

  it('is one for all apps of the organization with the repository, and not for those of others', async () => {
    await linkByHttp();
    const sibling = await createApp(app.tenant);
    await linkByHttp(sibling);
    const stranger = await createApp(await createTenant());
    await linkByHttp(stranger);
    const hook = await rotate();
    const shared = await rotate(sibling);
    expect(shared.address).toBe(hook.address);
    expect(shared.otherApps).toEqual([{ id: app.id, name: expect.any(String) as string }]);
    const foreign = await rotate(stranger);
    expect(foreign.address).not.toBe(hook.address);
    expect(foreign.otherApps).toEqual([]);
    const headers = { [shared.header ?? '']: shared.secret };
    expect((await deliver(shared, '{}', headers)).status).toBe(202);
    expect(await hookOf()).toMatchObject({ lastEventAt: expect.any(String) as string });
    expect(await hookOf(stranger)).toMatchObject({ lastEventAt: null });
  });

  it('is for those who may write automations, and shows no secret to others', async () => {
    await linkByHttp();
    const hook = await rotate();
    const viewer = await createMember(app.tenant, 'viewer');
    expect((await viewer.api.get(`${app.path}/repository/hook`)).body).toMatchObject({
      address: hook.address,
    });
    expect(JSON.stringify(await hookOf())).not.toContain(hook.secret);
    expectError(await viewer.api.post(`${app.path}/repository/hook/rotate-secret`), 403, 'not_authorized');
    const token = await createToken(app.api, { permissions: ['automations:read'] });
    expectError(await token.api.post(`${app.path}/repository/hook/rotate-secret`), 403, 'token_limited');
  });

  it('takes many pushes with few looks', async () => {
    await linkByHttp();
    await waiting();
    const hook = await rotate();
    const headers = { [hook.header ?? '']: hook.secret };
    const second = push('Second');
    const before = git.requests.length;
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => deliver(hook, pushed(first, second), headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await builtOnce(second);
    expect(git.requests.length - before).toBeLessThan(40);
  });
});
