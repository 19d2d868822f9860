import { createHmac } from 'node:crypto';
import pg from 'pg';
import type { TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createCertificate } from '../../builders/certificate.js';
import { createChannel } from '../../builders/channel.js';
import { createDestination } from '../../builders/destination.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember, type TestMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { WatchedApp, type WatchedBuild } from '../../support/git/watched-app.js';
import { countWaitingFor } from '../../support/servers/waiting-for.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { finishJob, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';

const { databaseUrl } = testEnvironment();

/** Refs that look like `main`, for a user who may not push that. */
const FOREIGN = [
  'refs/heads/evil',
  'refs/heads/MAIN',
  'refs/heads/main-2',
  'refs/heads/x/main',
  'refs/heads/refs/heads/main',
  'refs/heads/-rf',
  `refs/heads/${'界'.repeat(80)}`,
  'refs/tags/main',
  'refs/tags/refs/heads/main',
];

const REFUSED = [400, 403];

/** What is for `main` only. The first of each is protected, too. */
const OBJECTS: Readonly<Record<string, (app: TestApp) => Promise<object>>> = {
  'a protected environment': async (app) => ({
    appEnvironmentId: (await createEnvironment(app, { allowedRefs: ['main'], protected: true })).id,
  }),
  'an environment': async (app) => ({
    appEnvironmentId: (await createEnvironment(app, { allowedRefs: ['main'] })).id,
  }),
  'a certificate': async (app) => {
    const { id } = await createCertificate(app);
    const changed = await app.api.patch(`${app.path}/certificates/${id}`, { allowedRefs: ['main'] });
    expect(changed.status).toBe(200);
    return { appCertificateId: id };
  },
  'a channel': async (app) => ({
    appChannelId: (await createChannel(app, { allowedRefs: ['refs/heads/main'] })).id,
  }),
  'a destination': async (app) => ({
    platform: 'android',
    appDestinationId: (await createDestination(app, { allowedRefs: ['main'] })).id,
  }),
};

// Only a machine without git may skip these.
(hasGit ? describe : describe.skip)('a user who may only push another branch', () => {
  let git: GitServer;
  let watched: WatchedApp;
  let app: TestApp;
  let member: TestMember;

  beforeAll(async () => {
    git = await GitServer.start({ credentials: 'ada:pw' });
  });
  afterAll(() => git.stop());
  beforeEach(async () => {
    watched = await WatchedApp.create(git);
    ({ app } = watched);
    member = await createMember(app.tenant, 'member');
  });

  const run = ({ path }: TestAutomation, gitRef: string, { api }: Pick<TestMember, 'api'> = app) =>
    api.post(`${path}/run`, { gitRef });

  /** Reports pushes of all foreign refs, and of `main` with the commit of one of them, by a hook. */
  async function claim(evil: string): Promise<void> {
    const rotated = await app.api.post(`${app.path}/repository/hook/rotate-secret`);
    const { address, header, secret } = rotated.body as { address: string; header: string; secret: string };
    for (const ref of [...FOREIGN, 'refs/heads/main']) {
      const body = JSON.stringify({ ref, before: watched.first, after: evil });
      const headers = {
        'Content-Type': 'application/json',
        [header]: secret,
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      };
      expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(202);
    }
  }

  it.each(Object.entries(OBJECTS))(
    'gets no build with %s, by push, hook, button, API or automation',
    async (_, make) => {
      const object = await make(app);
      const everything = await watched.waiting({ triggerPatterns: ['**'], ...object });
      const manual = await createAutomation(app, {
        triggerType: 'manual',
        triggerPatterns: ['refs/**'],
        ...object,
      });
      const evil = watched.commit('evil', 'Evil');
      for (const ref of FOREIGN) watched.setRef(ref, evil);
      await watched.look();
      await claim(evil);
      await watched.look();
      const token = await createToken(app.api, {
        permissions: ['apps:read', 'automations:read', 'builds:write', 'deployments:write'],
      });
      for (const by of [app, member, token]) {
        for (const ref of FOREIGN) {
          for (const automation of [everything, manual]) {
            const { status } = await run(automation, ref, by);
            expect([ref, REFUSED.includes(status)]).toEqual([ref, true]);
          }
          const patterns = { triggerPatterns: [ref], triggerType: ref.includes('tags') ? 'tag' : 'branch' };
          const saved = await by.api.post(`${app.path}/automations`, {
            name: ref.slice(0, 60),
            platform: 'web',
            ...patterns,
            ...object,
          });
          expect([ref, REFUSED.includes(saved.status)]).toEqual([ref, true]);
        }
      }
      expect(await watched.builds()).toEqual([]);
      expect(await watched.read(everything)).toMatchObject({ enabled: true });

      const good = watched.commit('main', 'Good');
      await watched.look();
      const built = await watched.builds();
      expect(built).toMatchObject([
        { gitRef: 'refs/heads/main', gitCommitSha: good, ...withoutChannel(object) },
      ]);
    },
  );

  it('cannot be given what is protected for no branch', async () => {
    const { id: appEnvironmentId, name } = await createEnvironment(app, { protected: true, allowedRefs: [] });
    const refused = await app.api.post(`${app.path}/automations`, {
      name: 'All',
      platform: 'web',
      triggerType: 'branch',
      appEnvironmentId,
    });
    expectInvalid(refused, 'appEnvironmentId');
    expect(JSON.stringify(refused.body)).toContain(name);
  });

  it('cannot lift what limits a channel or a destination, as a member', async () => {
    const channel = await createChannel(app, { allowedRefs: ['main'] });
    const destination = await createDestination(app, { allowedRefs: ['main'] });
    for (const path of [`${app.path}/channels/${channel.id}`, `${app.path}/destinations/${destination.id}`]) {
      expect((await app.api.get(path)).body).toMatchObject({ allowedRefs: ['main'] });
      const changes = [
        { allowedRefs: [] },
        { allowedRefs: null },
        { allowedRefs: ['**'] },
        { name: 'other' },
      ];
      for (const change of changes) expectError(await member.api.patch(path, change), 403, 'not_authorized');
      expectError(await member.api.delete(path), 403, 'not_authorized');
      for (const wrong of ['main', ['a b'], ['****/*/*/*'], [1], Array(21).fill('a')]) {
        expectInvalid(await app.api.patch(path, { allowedRefs: wrong }), 'allowedRefs');
      }
    }
    const moved = await member.api.patch(`${app.path}/destinations/${destination.id}`, {
      googlePlayTrack: 'beta',
    });
    expectError(moved, 403, 'not_authorized');
    const twin = { name: 'Twin', platform: 'android', androidPackageName: 'com.example.app' };
    const second = await member.api.post(`${app.path}/destinations`, {
      ...twin,
      googlePlayTrack: 'internal',
    });
    expect([second.status, second.body]).toMatchObject([
      403,
      { message: expect.stringContaining(destination.name) as string },
    ]);
    expect(
      (await app.api.patch(`${app.path}/channels/${channel.id}`, { allowedRefs: null })).body,
    ).toMatchObject({
      allowedRefs: [],
    });
  });

  it('cannot rename or delete what is limited at the same moment, as a member', async () => {
    const channel = await createChannel(app);
    const destination = await createDestination(app);
    const objects = { channels: channel.id, destinations: destination.id };
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    try {
      for (const [table, id] of Object.entries(objects)) {
        const path = `${app.path}/${table}/${id}`;
        for (const act of [() => member.api.patch(path, { name: 'other' }), () => member.api.delete(path)]) {
          await holder.query(`UPDATE ${table} SET allowed_refs = '{}' WHERE id = $1`, [id]);
          await holder.query('BEGIN');
          await holder.query(`UPDATE ${table} SET allowed_refs = '{main}' WHERE id = $1`, [id]);
          const answer = act().then((response) => response);
          await eventually(async () => expect(await countWaitingFor(holder)).toBe(1));
          await holder.query('COMMIT');
          expectError(await answer, 403, 'not_authorized');
        }
      }
    } finally {
      await holder.end();
    }
  });

  it('does not get a build to a channel that was limited while it was built', async () => {
    const channel = await createChannel(app);
    await watched.waiting({ appChannelId: channel.id });
    watched.commit('evil', 'Evil');
    await watched.look();
    const [build] = await watched.builds();
    const lease = await takeJob(build?.jobId ?? '');
    const limited = await app.api.patch(`${app.path}/channels/${channel.id}`, { allowedRefs: ['main'] });
    expect(limited.status).toBe(200);
    await uploadArtifact(lease, await zipOf({ 'index.html': '<html>' }));
    await finishJob(lease);
    await eventually(async () => {
      expect(await watched.builds()).toMatchObject([
        {
          channelDeployments: [
            {
              status: 'failed',
              statusMessage: `The channel ${channel.name} only takes automated builds of these branches and tags: main.`,
            },
          ],
        },
      ]);
    });
    expect((await app.api.get(`${app.path}/deployments`)).body).toEqual([]);
  });

  it('does not get a channel by a tag that is named like the branch, nor an automation that can only build those', async () => {
    const channel = await createChannel(app, { allowedRefs: ['main'] });
    const saved = await app.api.post(`${app.path}/automations`, {
      name: 'Tags',
      platform: 'web',
      triggerType: 'tag',
      triggerPatterns: ['main'],
      appChannelId: channel.id,
    });
    expectInvalid(saved, 'appChannelIds');
    expect(JSON.stringify(saved.body)).toContain(`The channel ${channel.name} only takes automated builds`);
  });

  it('has a build whose branch is deleted while it runs end as it would, and a look after it decides nothing', async () => {
    const automation = await watched.waiting({ appChannelId: app.defaultChannelId });
    watched.commit('short', 'Short');
    await watched.look();
    const [build] = await watched.builds();
    const lease = await takeJob(build?.jobId ?? '');
    git.git(watched.repository, ['update-ref', '-d', 'refs/heads/short']);
    await watched.look();
    await uploadArtifact(lease, await zipOf({ 'index.html': '<html>' }));
    await finishJob(lease);
    await eventually(async () => {
      expect(await watched.builds()).toMatchObject([{ channelDeployments: [{ status: 'deployed' }] }]);
    });
    expect(await watched.read(automation)).toMatchObject({ enabled: true });
  });

  it('cannot make a look of twenty thousand branches take more than one request for refs', async () => {
    const automation = await watched.waiting({ triggerPatterns: ['release/*'] });
    const { first, repository } = watched;
    const lines = Array.from({ length: 20_000 }, (_, n) => `create refs/heads/b/${n} ${first}\n`);
    git.git(repository, ['update-ref', '--stdin'], lines.join(''));
    watched.setRef('refs/heads/release/1', first);
    await watched.look();
    expect(await watched.builds()).toMatchObject([{ gitRef: 'refs/heads/release/1' }]);
    const decided = 'SELECT ref FROM decided_refs WHERE automation_id = $1';
    expect(await query(databaseUrl, decided, [automation.id])).toEqual([{ ref: 'refs/heads/release/1' }]);
    const all = await watched.waiting({ triggerPatterns: ['**'] });
    const [{ count }] = (await query(
      databaseUrl,
      'SELECT count(*)::int AS count FROM decided_refs WHERE automation_id = $1',
      [all.id],
    )) as [{ count: number }];
    expect(count).toBe(20_002);
    const last: WatchedBuild[] = await watched.builds();
    expect(last).toHaveLength(1);
  });
});

/** Of the object, what a build shows. */
function withoutChannel({
  appChannelId: _channel,
  appDestinationId: _destination,
  ...object
}: {
  appChannelId?: string;
  appDestinationId?: string;
}): object {
  return object;
}
