import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createChannel } from '../../builders/channel.js';
import { createEnvironment } from '../../builders/environment.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { createMember, type TestMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import type { TestLease } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { finishJob, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { uniqueName } from '../../support/unique-name.js';

interface Build {
  readonly id: string;
  readonly jobId: string;
  readonly gitRef: string;
  readonly gitCommitSha: string;
  readonly createdBy: string;
}

const { databaseUrl } = testEnvironment();

// Only a machine without git may skip these.
(hasGit ? describe : describe.skip)('an automation', () => {
  let git: GitServer;
  let app: TestApp;
  let member: TestMember;
  let repository: string;
  let first: string;

  beforeAll(async () => {
    git = await GitServer.start({ credentials: 'ada:pw' });
  });
  afterAll(() => git.stop());

  beforeEach(async () => {
    app = await createApp();
    member = await createMember(app.tenant, 'member');
    repository = `${uniqueName('shop')}.git`;
    git.create(repository);
    first = git.commit(repository, 'main', 'First');
    await link(repository);
  });

  async function link(path: string): Promise<void> {
    const credentials = { authKind: 'basic', username: 'ada', token: undefined, password: 'pw' };
    const connection = { provider: 'git_http', baseUrl: git.origin, ...credentials };
    const { id: gitConnectionId } = await createGitConnection(app.tenant, connection);
    expect((await app.api.put(`${app.path}/repository`, { gitConnectionId, path })).status).toBe(200);
  }

  const setBranch = (branch: string, commit: string): string =>
    git.git(repository, ['update-ref', `refs/heads/${branch}`, commit]);

  /** Waits until the refs that there are were recorded. */
  const recorded = ({ id }: TestAutomation): Promise<void> =>
    eventually(async () => {
      const sql = 'SELECT refs_recorded_at AS time FROM automations WHERE id = $1';
      expect(await query(databaseUrl, sql, [id])).toEqual([{ time: expect.any(Date) as Date }]);
    });

  /** An automation that waits for pushes. */
  async function waiting(values: object = {}, actor: Pick<TestMember, 'api'> = app): Promise<TestAutomation> {
    const automation = await createAutomation(app, values, actor);
    await recorded(automation);
    return automation;
  }

  /** Lets the next look of the server be due, and waits for its end. */
  async function look(): Promise<void> {
    const [before] = await query(databaseUrl, 'SELECT now() AS time', []);
    const due = 'UPDATE repository_looks SET next_look_at = now(), requested_at = NULL WHERE app_id = $1';
    await query(databaseUrl, due, [app.id]);
    await eventually(async () => {
      const ended = `SELECT FROM repository_looks WHERE app_id = $1 AND looked_at > $2`;
      expect(await query(databaseUrl, ended, [app.id, (before as { time: Date }).time])).toHaveLength(1);
    });
  }

  const builds = async (): Promise<Build[]> => (await app.api.get(`${app.path}/builds`)).body as Build[];
  const gitEvents = async (): Promise<object[]> =>
    (await app.api.get(`${app.path}/git-events`)).body as object[];
  const read = async ({ path }: TestAutomation): Promise<object> => (await app.api.get(path)).body as object;
  const run = (automation: TestAutomation, gitRef: string, { api }: Pick<TestMember, 'api'> = app) =>
    api.post(`${automation.path}/run`, { gitRef });

  it('builds what is pushed, each commit once, and nothing that was there before', async () => {
    const channel = await createChannel(app);
    const automation = await waiting({ triggerPatterns: ['main'], appChannelId: channel.id });
    await look();
    expect(await builds()).toEqual([]);
    const second = git.commit(repository, 'main', 'Second');
    setBranch('feature', second);
    await look();
    const [build] = await builds();
    expect(build).toMatchObject({
      appAutomationId: automation.id,
      appEnvironmentId: null,
      gitRef: 'refs/heads/main',
      gitCommitSha: second,
      createdBy: app.tenant.owner.userId,
      channelDeployments: [{ appChannelId: channel.id, status: 'waiting' }],
    });
    const jobs = await query(databaseUrl, 'SELECT is_automated FROM jobs WHERE id = $1', [build?.jobId]);
    expect(jobs).toEqual([{ is_automated: true }]);
    await look();
    expect(await builds()).toHaveLength(1);
    setBranch('main', first);
    await look();
    expect(await builds()).toMatchObject([{ gitCommitSha: first }, { gitCommitSha: second }]);
    expect(await gitEvents()).toMatchObject([
      { appAutomationId: automation.id, gitRef: 'refs/heads/main', gitCommitSha: first, outcome: 'built' },
      { gitCommitSha: second, outcome: 'built', reason: null, isRequested: false, appBuildId: build?.id },
    ]);
    expect(await read(automation)).toMatchObject({ lastTriggeredAt: expect.any(String) as string });
  });

  it('builds new tags, and records again when its trigger changes', async () => {
    const automation = await waiting({ triggerType: 'tag', triggerPattern: 'v*' });
    git.git(repository, ['tag', 'v1', first]);
    git.git(repository, ['tag', 'x1', first]);
    await look();
    expect(await builds()).toMatchObject([{ gitRef: 'refs/tags/v1', gitCommitSha: first }]);
    await app.api.patch(automation.path, { triggerPattern: null });
    await recorded(automation);
    await look();
    expect(await builds()).toHaveLength(1);
  });

  it('builds nothing when more than ten refs change at once, and says so', async () => {
    await waiting();
    for (let n = 1; n <= 11; n++) setBranch(`b${n}`, first);
    await look();
    expect(await builds()).toEqual([]);
    expect(await gitEvents()).toMatchObject([{ outcome: 'skipped', reason: 'limit', gitRef: null }]);
    setBranch('b12', first);
    await look();
    expect(await builds()).toMatchObject([{ gitRef: 'refs/heads/b12' }]);
  });

  it('stops when it has built thirty times in an hour', async () => {
    const automation = await waiting();
    const heads = Array.from({ length: 9 }, (_, n) => `b${n}`);
    for (let round = 1; round <= 3; round++) {
      const commit = git.commit(repository, 'main', `Round ${round}`);
      for (const branch of heads) setBranch(branch, commit);
      await look();
    }
    expect(await read(automation)).toMatchObject({ enabled: true });
    setBranch('one-more', first);
    await look();
    expect(await read(automation)).toMatchObject({
      enabled: false,
      stoppedReason: expect.stringContaining('30 builds within an hour') as string,
    });
    expect((await app.api.get(`${app.path}/builds?limit=100`)).body).toHaveLength(30);
  });

  it('uses restricted environments only for the branches that these allow', async () => {
    const environment = await createEnvironment(app, { allowedRefs: ['main'], protected: true });
    await waiting({ appEnvironmentId: environment.id });
    setBranch('feature', first);
    await look();
    expect(await builds()).toEqual([]);
    expect(await gitEvents()).toMatchObject([
      {
        outcome: 'skipped',
        reason: 'ref_not_allowed',
        message: expect.stringContaining(environment.name) as string,
      },
    ]);
    git.commit(repository, 'main', 'Second');
    await look();
    expect(await builds()).toMatchObject([{ appEnvironmentId: environment.id }]);
    expect((await app.api.patch(environment.path, { allowedRefs: [] })).status).toBe(200);
    git.commit(repository, 'main', 'Third');
    await look();
    expect(await builds()).toHaveLength(1);
    expect(await gitEvents()).toMatchObject([{ reason: 'ref_not_allowed' }, { outcome: 'built' }, {}]);
  });

  it('replaces its builds that still wait, and gives the new one their place', async () => {
    await waiting({ triggerPattern: 'main' });
    await waiting({ triggerPattern: 'main' });
    git.commit(repository, 'main', 'Second');
    await look();
    const older = await builds();
    const queuedAt = (jobId?: string) =>
      query(databaseUrl, 'SELECT created_at, queued_at FROM jobs WHERE id = $1', [jobId]);
    const places = await Promise.all(older.map(({ jobId }) => queuedAt(jobId)));
    const third = git.commit(repository, 'main', 'Third');
    await look();
    const [last, lastButOne, ...replaced] = await builds();
    expect([last, lastButOne]).toMatchObject([{ gitCommitSha: third }, { gitCommitSha: third }]);
    for (const { jobId } of replaced) {
      expect((await app.api.get(`/v1/jobs/${jobId}`)).body).toMatchObject({
        status: 'canceled',
        statusMessage: expect.stringMatching(/^Build \d+ of a newer commit has replaced it\.$/) as string,
      });
    }
    expect(await Promise.all([last, lastButOne].map((build) => queuedAt(build?.jobId)))).toEqual(places);
  });

  it('lets the commit that was pushed last win, whichever build ends first', async () => {
    const channel = await createChannel(app);
    await waiting({ appChannelId: channel.id });
    const zip = await zipOf({ 'index.html': '<html>' });
    const leases: TestLease[] = [];
    for (const branch of ['one', 'two']) {
      git.commit(repository, branch, branch);
      await look();
      leases.push(await takeJob((await builds())[0]?.jobId ?? ''));
    }
    for (const lease of leases.toReversed()) {
      await uploadArtifact(lease, zip);
      await finishJob(lease);
      await eventually(async () => {
        expect((await app.api.get(`/v1/jobs/${lease.jobId}`)).body).toMatchObject({ status: 'succeeded' });
        const open = await query(
          databaseUrl,
          `SELECT FROM build_deployments AS planned JOIN builds AS build ON build.id = planned.build_id
            WHERE build.job_id = $1 AND planned.status = 'waiting'`,
          [lease.jobId],
        );
        expect(open).toEqual([]);
      });
    }
    expect(await builds()).toMatchObject([
      { gitRef: 'refs/heads/two', channelDeployments: [{ status: 'deployed' }] },
      {
        gitRef: 'refs/heads/one',
        channelDeployments: [
          {
            status: 'failed',
            statusMessage: expect.stringMatching(
              /^Build \d+ of the same automation was started later/,
            ) as string,
          },
        ],
      },
    ]);
    const created = await app.api.get(
      `/v1/organizations/${app.tenant.organizationId}/events?types=app_deployment_created`,
    );
    expect(created.body).toMatchObject({ events: [{ appId: app.id, userId: null }] });
  });

  describe('on request', () => {
    it('builds a ref that it matches, for the user who asks', async () => {
      const automation = await waiting({ triggerPatterns: ['main'] });
      const second = git.commit(repository, 'main', 'Second');
      const build = expectCreated<Build>(await run(automation, 'main', member));
      expect(build).toMatchObject({
        gitCommitSha: second,
        createdBy: member.userId,
        appAutomationId: automation.id,
      });
      const jobs = await query(databaseUrl, 'SELECT is_automated FROM jobs WHERE id = $1', [build.jobId]);
      expect(jobs).toEqual([{ is_automated: false }]);
      await look();
      expect(await builds()).toHaveLength(1);
      expect(await gitEvents()).toMatchObject([{ isRequested: true, outcome: 'built' }]);
      setBranch('feature', first);
      for (const ref of ['feature', 'refs/tags/main', 'refs/pull/1/head', first, '-rf']) {
        expectInvalid(await run(automation, ref), 'gitRef');
      }
    });

    it('needs the permissions of what the automation does', async () => {
      const environment = await createEnvironment(app, { allowedRefs: ['main'], protected: true });
      const automation = await waiting({ appEnvironmentId: environment.id, triggerPattern: 'main' });
      expectError(await run(automation, 'main', member), 403, 'use_restricted');
      const channel = await createChannel(app);
      const deploying = await waiting({ appChannelId: channel.id });
      const permissions = ['apps:read', 'automations:read', 'builds:write'];
      const token = await createToken(app.api, { permissions });
      expectError(await run(deploying, 'main', token), 403, 'token_limited');
      expect((await run(deploying, 'main')).status).toBe(201);
    });

    it('is all that a manual automation does, and nothing that a disabled one does', async () => {
      const automation = await createAutomation(app, { triggerType: 'manual' });
      expect((await run(automation, 'main')).status).toBe(201);
      await app.api.patch(automation.path, { enabled: false });
      expectError(await run(automation, 'main'), 409, 'automation_disabled');
    });
  });

  describe('stops', () => {
    const stopped = (reason: string): object => ({
      enabled: false,
      stoppedReason: expect.stringContaining(reason) as string,
    });

    it('when its user may no longer do what it does, and a save takes it over', async () => {
      const automation = await waiting({}, member);
      const role = `UPDATE members SET role = 'viewer' WHERE id = $1`;
      await query(databaseUrl, role, [member.memberId]);
      const second = git.commit(repository, 'main', 'Second');
      await look();
      expect(await read(automation)).toMatchObject(stopped('lacks the permission builds:write'));
      await app.api.patch(automation.path, { name: automation.name });
      await recorded(automation);
      expect(await builds()).toEqual([]);
      expect(git.commit(repository, 'main', 'Third')).not.toBe(second);
      await look();
      expect(await builds()).toMatchObject([{ createdBy: app.tenant.owner.userId }]);
    });

    it('when its token has expired', async () => {
      const token = await createToken(app.api);
      const automation = await waiting({}, token);
      await query(databaseUrl, `UPDATE tokens SET expires_at = now() WHERE id = $1`, [token.id]);
      git.commit(repository, 'main', 'Second');
      await look();
      expect(await read(automation)).toMatchObject(stopped('has expired'));
      expect(await builds()).toEqual([]);
    });

    it('when the app is linked to another repository, and not when it is linked again', async () => {
      const automation = await waiting();
      await link(repository);
      await recorded(automation);
      expect(await read(automation)).toMatchObject({ enabled: true });
      git.create(`other-${repository}`);
      git.commit(`other-${repository}`, 'main', 'Other');
      await link(`other-${repository}`);
      expect(await read(automation)).toMatchObject(stopped('another repository'));
      expect(await builds()).toEqual([]);
    });
  });
});
