import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createChannel } from '../../builders/channel.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember, type TestMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { WatchedApp, type WatchedBuild } from '../../support/git/watched-app.js';
import type { TestLease } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { finishJob, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

const { databaseUrl } = testEnvironment();

// Only a machine without git may skip these.
(hasGit ? describe : describe.skip)('an automation', () => {
  let git: GitServer;
  let watched: WatchedApp;
  let app: TestApp;
  let member: TestMember;
  let repository: string;
  let first: string;

  beforeAll(async () => {
    git = await GitServer.start({ credentials: 'ada:pw' });
  });
  afterAll(() => git.stop());

  beforeEach(async () => {
    watched = await WatchedApp.create(git);
    ({ app, repository, first } = watched);
    member = await createMember(app.tenant, 'member');
  });

  const setBranch = (branch: string, commit: string): void => watched.setRef(`refs/heads/${branch}`, commit);
  const run = (automation: TestAutomation, gitRef: string, { api }: Pick<TestMember, 'api'> = app) =>
    api.post(`${automation.path}/run`, { gitRef });

  it('builds what is pushed, each commit once, and nothing that was there before', async () => {
    const channel = await createChannel(app);
    const automation = await watched.waiting({ triggerPatterns: ['main'], appChannelId: channel.id });
    await watched.look();
    expect(await watched.builds()).toEqual([]);
    const second = git.commit(repository, 'main', 'Second');
    setBranch('feature', second);
    await watched.look();
    const [build] = await watched.builds();
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
    await watched.look();
    expect(await watched.builds()).toHaveLength(1);
    setBranch('main', first);
    await watched.look();
    expect(await watched.builds()).toMatchObject([{ gitCommitSha: first }, { gitCommitSha: second }]);
    expect(await watched.gitEvents()).toMatchObject([
      { appAutomationId: automation.id, gitRef: 'refs/heads/main', gitCommitSha: first, outcome: 'built' },
      { gitCommitSha: second, outcome: 'built', reason: null, isRequested: false, appBuildId: build?.id },
    ]);
    expect(await watched.read(automation)).toMatchObject({ lastTriggeredAt: expect.any(String) as string });
  });

  it('builds new tags, and records again when its trigger changes', async () => {
    const automation = await watched.waiting({ triggerType: 'tag', triggerPattern: 'v*' });
    git.git(repository, ['tag', 'v1', first]);
    git.git(repository, ['tag', 'x1', first]);
    await watched.look();
    expect(await watched.builds()).toMatchObject([{ gitRef: 'refs/tags/v1', gitCommitSha: first }]);
    await app.api.patch(automation.path, { triggerPattern: null });
    await watched.recorded(automation);
    await watched.look();
    expect(await watched.builds()).toHaveLength(1);
  });

  it('reads a repository once for all apps that are linked to it by the same connection', async () => {
    await watched.waiting();
    const requestsOf = async (work: () => Promise<void>): Promise<number> => {
      const before = git.requests.length;
      await work();
      return git.requests.length - before;
    };
    const withoutOthers = await requestsOf(() => watched.look());
    const { body: link } = await app.api.get(`${app.path}/repository`);
    const { gitConnectionId, path } = link as { gitConnectionId: string; path: string };
    const siblings = await Promise.all([1, 2, 3].map(() => createApp(app.tenant)));
    for (const sibling of siblings) {
      const linked = await sibling.api.put(`${sibling.path}/repository`, { gitConnectionId, path });
      expect(linked.status).toBe(200);
      await watched.recorded(await createAutomation(sibling));
    }
    const second = git.commit(repository, 'main', 'Second');
    const ofAll = await requestsOf(async () => {
      await watched.look();
      for (const each of [app, ...siblings]) {
        await eventually(async () =>
          expect((await each.api.get(`${each.path}/builds`)).body).toMatchObject([{ gitCommitSha: second }]),
        );
      }
    });
    expect(ofAll).toBe(withoutOthers);
  });

  it('builds nothing when more than ten refs change at once, and says so', async () => {
    await watched.waiting();
    for (let n = 1; n <= 11; n++) setBranch(`b${n}`, first);
    await watched.look();
    expect(await watched.builds()).toEqual([]);
    expect(await watched.gitEvents()).toMatchObject([{ outcome: 'skipped', reason: 'limit', gitRef: null }]);
    const events = `/v1/organizations/${app.tenant.organizationId}/events?types=automation_limited`;
    expect((await app.api.get(events)).body).toMatchObject({
      events: [{ userId: null, data: { userId: app.tenant.owner.userId, changes: 11 } }],
    });
    setBranch('b12', first);
    await watched.look();
    expect(await watched.builds()).toMatchObject([{ gitRef: 'refs/heads/b12' }]);
  });

  it('stops when it has built thirty times in an hour', async () => {
    const automation = await watched.waiting();
    const heads = Array.from({ length: 9 }, (_, n) => `b${n}`);
    for (let round = 1; round <= 3; round++) {
      const commit = git.commit(repository, 'main', `Round ${round}`);
      for (const branch of heads) setBranch(branch, commit);
      await watched.look();
    }
    expect(await watched.read(automation)).toMatchObject({ enabled: true });
    setBranch('one-more', first);
    await watched.look();
    expect(await watched.read(automation)).toMatchObject({
      enabled: false,
      stoppedReason: expect.stringContaining('30 builds within an hour') as string,
    });
    expect((await app.api.get(`${app.path}/builds?limit=100`)).body).toHaveLength(30);
  });

  it('uses restricted environments only for the branches that these allow', async () => {
    const environment = await createEnvironment(app, { allowedRefs: ['main'], protected: true });
    await watched.waiting({ appEnvironmentId: environment.id });
    setBranch('feature', first);
    await watched.look();
    expect(await watched.builds()).toEqual([]);
    expect(await watched.gitEvents()).toMatchObject([
      {
        outcome: 'skipped',
        reason: 'ref_not_allowed',
        message: expect.stringContaining(environment.name) as string,
      },
    ]);
    git.commit(repository, 'main', 'Second');
    await watched.look();
    expect(await watched.builds()).toMatchObject([{ appEnvironmentId: environment.id }]);
    expect((await app.api.patch(environment.path, { allowedRefs: [] })).status).toBe(200);
    git.commit(repository, 'main', 'Third');
    await watched.look();
    expect(await watched.builds()).toHaveLength(1);
    expect(await watched.gitEvents()).toMatchObject([
      { reason: 'ref_not_allowed' },
      { outcome: 'built' },
      {},
    ]);
  });

  it('replaces its builds that still wait, and gives the new one their place', async () => {
    await watched.waiting({ triggerPattern: 'main' });
    await watched.waiting({ triggerPattern: 'main' });
    git.commit(repository, 'main', 'Second');
    await watched.look();
    const older = await watched.builds();
    const queuedAt = (jobId?: string) =>
      query(databaseUrl, 'SELECT created_at, queued_at FROM jobs WHERE id = $1', [jobId]);
    const places = await Promise.all(older.map(({ jobId }) => queuedAt(jobId)));
    const third = git.commit(repository, 'main', 'Third');
    await watched.look();
    const [last, lastButOne, ...replaced] = await watched.builds();
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
    const automation = await watched.waiting({ appChannelId: channel.id });
    const zip = await zipOf({ 'index.html': '<html>' });
    const leases: TestLease[] = [];
    for (const branch of ['one', 'two']) {
      git.commit(repository, branch, branch);
      await watched.look();
      leases.push(await takeJob((await watched.builds())[0]?.jobId ?? ''));
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
    expect(await watched.builds()).toMatchObject([
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
    expect(created.body).toMatchObject({
      events: [{ appId: app.id, userId: null, data: { appAutomationId: automation.id } }],
    });
  });

  describe('on request', () => {
    it('builds a ref that it matches, for the user who asks', async () => {
      const automation = await watched.waiting({ triggerPatterns: ['main'] });
      const second = git.commit(repository, 'main', 'Second');
      const build = expectCreated<WatchedBuild>(await run(automation, 'main', member));
      expect(build).toMatchObject({
        gitCommitSha: second,
        createdBy: member.userId,
        appAutomationId: automation.id,
      });
      const jobs = await query(databaseUrl, 'SELECT is_automated FROM jobs WHERE id = $1', [build.jobId]);
      expect(jobs).toEqual([{ is_automated: false }]);
      await watched.look();
      expect(await watched.builds()).toHaveLength(1);
      expect(await watched.gitEvents()).toMatchObject([{ isRequested: true, outcome: 'built' }]);
      setBranch('feature', first);
      for (const ref of ['feature', 'refs/tags/main', 'refs/pull/1/head', first, '-rf']) {
        expectInvalid(await run(automation, ref), 'gitRef');
      }
    });

    it('needs the permissions of what the automation does', async () => {
      const environment = await createEnvironment(app, { allowedRefs: ['main'], protected: true });
      const automation = await watched.waiting({ appEnvironmentId: environment.id, triggerPattern: 'main' });
      expectError(await run(automation, 'main', member), 403, 'use_restricted');
      const channel = await createChannel(app);
      const deploying = await watched.waiting({ appChannelId: channel.id });
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
      const automation = await watched.waiting({}, member);
      const role = `UPDATE members SET role = 'viewer' WHERE id = $1`;
      await query(databaseUrl, role, [member.memberId]);
      const second = git.commit(repository, 'main', 'Second');
      await watched.look();
      expect(await watched.read(automation)).toMatchObject(stopped('lacks the permission builds:write'));
      await app.api.patch(automation.path, { name: automation.name });
      await watched.recorded(automation);
      expect(await watched.builds()).toEqual([]);
      expect(git.commit(repository, 'main', 'Third')).not.toBe(second);
      await watched.look();
      expect(await watched.builds()).toMatchObject([{ createdBy: app.tenant.owner.userId }]);
    });

    it('when its token has expired', async () => {
      const token = await createToken(app.api);
      const automation = await watched.waiting({}, token);
      await query(databaseUrl, `UPDATE tokens SET expires_at = now() WHERE id = $1`, [token.id]);
      git.commit(repository, 'main', 'Second');
      await watched.look();
      expect(await watched.read(automation)).toMatchObject(stopped('has expired'));
      expect(await watched.builds()).toEqual([]);
    });

    it('when the app is linked to another repository, and not when it is linked again', async () => {
      const automation = await watched.waiting();
      await watched.link(repository);
      await watched.recorded(automation);
      expect(await watched.read(automation)).toMatchObject({ enabled: true });
      git.create(`other-${repository}`);
      git.commit(`other-${repository}`, 'main', 'Other');
      await watched.link(`other-${repository}`);
      expect(await watched.read(automation)).toMatchObject(stopped('another repository'));
      expect(await watched.builds()).toEqual([]);
    });
  });
});
