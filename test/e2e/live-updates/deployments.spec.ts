import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createNativeBuild } from '../../builders/build.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate } from '../../builders/device.js';
import { uploadBundle } from '../../builders/publication.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

describe('deployments', () => {
  let app: TestApp;
  let path: string;
  let buildId: string;

  beforeAll(async () => {
    app = await createApp();
    path = `${app.path}/deployments`;
    ({ buildId } = await registerBundle(app));
  });

  const create = (values: object): ReturnType<TestApp['api']['post']> =>
    app.api.post(path, { appBuildId: buildId, ...values });

  describe('create', () => {
    it('sends a build to a channel by its id, with all fields', async () => {
      const channel = await createChannel(app);
      const { status, body } = await create({ appChannelId: channel.id });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String) as string,
        appId: app.id,
        appBuildId: buildId,
        appChannelId: channel.id,
        appChannelName: channel.name,
        appDestinationId: null,
        appDestinationName: null,
        jobId: null,
        rolloutPercentage: 1,
        approvalStatus: 'approved',
        requiredApprovals: 0,
        createdByUserId: app.tenant.owner.userId,
        createdBy: { id: app.tenant.owner.userId, name: null, email: app.tenant.owner.email },
        updatedBy: { id: app.tenant.owner.userId, name: null, email: app.tenant.owner.email },
        emergency: null,
        maxAndroidAppVersionCode: null,
        maxIosAppVersionCode: null,
        maxElectronAppVersionCode: null,
        notes: null,
        comment: null,
        releaseNotes: null,
        submission: null,
        takenBackAt: null,
        warnings: [],
        etag: `"${(body as { id: string }).id}.1."`,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
      });
    });

    it('finds the channel by its name, in any case; the id wins', async () => {
      const byId = await createChannel(app);
      const byName = await createChannel(app);
      const appChannelName = byName.name.toUpperCase();
      expect((await create({ appChannelName })).body).toMatchObject({ appChannelId: byName.id });
      expect((await create({ appChannelName, appChannelId: byId.id })).body).toMatchObject({
        appChannelId: byId.id,
      });
      const response = await create({ appChannelName, appChannelId: null });
      expect(response.body).toMatchObject({ appChannelId: byName.id, appChannelName: byName.name });
    });

    it('needs a channel that the app has', async () => {
      const other = await createApp(app.tenant);
      expectError(await create({ appChannelId: other.defaultChannelId }), 404, 'channel_not_found');
      expectError(await create({ appChannelId: uuid() }), 404, 'channel_not_found');
      expectError(await create({ appChannelName: 'unknown' }), 404, 'channel_not_found');
      expectInvalid(await create({}), 'appChannelId');
      expectInvalid(await create({ appChannelId: null, appChannelName: null }), 'appChannelId');
      expectInvalid(await create({ appChannelName: '' }), 'appChannelName');
    });

    it('needs a build of this app', async () => {
      const other = await createApp(app.tenant);
      const { buildId: foreign } = await registerBundle(other);
      for (const appBuildId of [foreign, uuid()]) {
        const response = await create({ appBuildId, appChannelId: app.defaultChannelId });
        expectError(response, 404, 'build_not_found');
      }
      expectInvalid(await create({ appBuildId: 'x', appChannelId: app.defaultChannelId }), 'appBuildId');
      expectInvalid(await create({ appBuildId: null, appChannelId: app.defaultChannelId }), 'appBuildId');
    });

    it('refuses native builds and bundles that are not ready', async () => {
      const { appChannelId } = { appChannelId: app.defaultChannelId };
      const native = await createNativeBuild(app, 'android', 900);
      expectInvalid(await create({ appBuildId: native, appChannelId }), 'appBuildId');
      const pending = await createBundle(app);
      expectInvalid(await create({ appBuildId: pending.buildId, appChannelId }), 'appBuildId');
    });

    it('sends web builds to channels only, and to one target', async () => {
      expectInvalid(await create({ appDestinationId: uuid() }), 'appBuildId');
      expectInvalid(await create({ appDestinationName: 'Google Play' }), 'appBuildId');
      const both = await create({ appDestinationName: 'Google Play', appChannelId: app.defaultChannelId });
      expectInvalid(both, 'appDestinationId');
      const { appChannelId } = { appChannelId: app.defaultChannelId };
      for (const field of ['inAppUpdatePriority', 'cancelRunningReview', 'acceptNewSigner']) {
        const value = field === 'inAppUpdatePriority' ? 3 : true;
        expectInvalid(await create({ appChannelId, [field]: value }), field);
      }
      const notes = await create({ appChannelId, releaseNotes: { default: 'Faster.' } });
      expect(notes.body).toMatchObject({ releaseNotes: null, submission: null });
    });

    it('sends only signed bundles to a protected channel', async () => {
      const own = await createApp();
      const { id: appChannelId } = await createChannel(own, { name: 'safe', protected: true });
      const unsigned = await uploadBundle(own);
      const signed = await uploadBundle(own, {}, Buffer.alloc(256, 1).toString('base64'));
      const url = `${own.path}/deployments`;
      const refused = await own.api.post(url, { appBuildId: unsigned.buildId, appChannelId });
      expect(expectError(refused, 400, 'unsigned_bundle').message).toMatch(/safe is protected/);
      expect((await own.api.post(url, { appBuildId: signed.buildId, appChannelId })).status).toBe(201);
      expect((await own.api.get(`${url}?appChannelId=${appChannelId}`)).headers['x-total-count']).toBe('1');
    });

    it('may be repeated, also at once; the newest is the active one', async () => {
      const own = await createApp();
      const { buildId: appBuildId } = await registerBundle(own);
      const { id: appChannelId } = await createChannel(own);
      const created = await Promise.all(
        Array.from({ length: 10 }, () => createDeployment(own, { appBuildId, appChannelId })),
      );
      expect(new Set(created.map(({ id }) => id)).size).toBe(10);
      const list = await own.api.get(`${own.path}/deployments?appChannelId=${appChannelId}`);
      expect(list.headers['x-total-count']).toBe('10');
      const [newest] = list.body as { id: string }[];
      const channel = await own.api.get(`${own.path}/channels/${appChannelId}`);
      expect(channel.body).toMatchObject({ appDeploymentId: newest?.id, totalAppDeployments: 10 });
    });

    it('rolls back by sending an older build again', async () => {
      const own = await createApp();
      const older = await registerBundle(own, { url: 'https://cdn.example.com/1.zip' });
      await registerBundle(own, { url: 'https://cdn.example.com/2.zip' });
      await createDeployment(own, { appBuildId: older.buildId });
      expect((await checkForUpdate(own, {})).body).toMatchObject({ bundleId: older.id });
    });
  });

  describe('rollout', () => {
    it.each([0, 0.25, 1, 1e-9])('may be %d', async (rolloutPercentage) => {
      const { body } = await create({ appChannelId: app.defaultChannelId, rolloutPercentage });
      expect(body).toMatchObject({ rolloutPercentage });
      const { id } = body as { id: string };
      const changed = await app.api.patch(`${path}/${id}`, {
        rolloutPercentage,
        appId: app.id,
        appDeploymentId: id,
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({ id, rolloutPercentage });
    });

    it('is 1 when it is null', async () => {
      const { body } = await create({ appChannelId: app.defaultChannelId, rolloutPercentage: null });
      expect(body).toMatchObject({ rolloutPercentage: 1 });
    });

    it.each([
      '-0.0001',
      '1.0001',
      '50',
      '1e999',
      '-1e999',
      '"0.5"',
      '""',
      '"NaN"',
      'true',
      '[]',
      '[0.5]',
      '{}',
    ])('may not be %s', async (json) => {
      const { id } = await createDeployment(app, { appBuildId: buildId });
      const response = await app.api
        .request('patch', `${path}/${id}`)
        .set('Content-Type', 'application/json')
        .send(`{"rolloutPercentage":${json}}`);
      expectInvalid(response, 'rolloutPercentage');
      expect((await app.api.get(`${path}/${id}`)).body).toMatchObject({ rolloutPercentage: 1 });
    });

    it('is not NaN, which is no JSON', async () => {
      const { id } = await createDeployment(app, { appBuildId: buildId });
      const request = app.api.request('patch', `${path}/${id}`).set('Content-Type', 'application/json');
      expectError(await request.send('{"rolloutPercentage":NaN}'), 400, 'malformed_json');
    });

    it('decides whether devices get it', async () => {
      const own = await createApp();
      const { deploymentId } = await registerBundle(own);
      const url = `${own.path}/deployments/${deploymentId}`;
      const device = { deviceId: 'a-device' };
      expect((await checkForUpdate(own, device)).status).toBe(200);
      await own.api.patch(url, { rolloutPercentage: 0 });
      expect((await checkForUpdate(own, device)).status).toBe(404);
      await own.api.patch(url, { rolloutPercentage: 1 });
      expect((await checkForUpdate(own, device)).status).toBe(200);
    });
  });

  describe('list', () => {
    it('is newest first, and filtered by build and channel', async () => {
      const own = await createApp();
      const one = await registerBundle(own, { gitRef: 'main', gitCommitSha: 'abc123' });
      const two = await registerBundle(own, { gitRef: 'v2' });
      const channel = await createChannel(own);
      const three = await createDeployment(own, { appBuildId: one.buildId, appChannelId: channel.id });
      const ids = async (search: string): Promise<string[]> =>
        ((await own.api.get(`${own.path}/deployments${search}`)).body as { id: string }[]).map(
          ({ id }) => id,
        );
      expect(await ids('')).toEqual([three.id, two.deploymentId, one.deploymentId]);
      expect(await ids(`?appBuildId=${one.buildId}`)).toEqual([three.id, one.deploymentId]);
      expect(await ids(`?appChannelId=${channel.id}`)).toEqual([three.id]);
      expect(await ids(`?appBuildId=${two.buildId}&appChannelId=${channel.id}`)).toEqual([]);
      expect(await ids('?appGitCommit=v2')).toEqual([two.deploymentId]);
      expect(await ids('?appGitCommit=abc123')).toEqual([three.id, one.deploymentId]);
      expect(await ids(`?appGitCommit=main&appBuildId=${one.buildId}`)).toEqual([three.id, one.deploymentId]);
      expect(await ids(`?appGitCommit=main&appBuildId=${two.buildId}`)).toEqual([]);
      expect(await ids(`?query=${three.id.toUpperCase()}`)).toEqual([three.id]);
      expect(await ids('?query=%25')).toEqual([]);
      expect(await ids(`?appDestinationId=${uuid()}`)).toEqual([]);
      expect(await ids('?appBuildId=&appChannelId&appGitCommit=&query=')).toHaveLength(3);
    });

    it('refuses ids that are none', async () => {
      const search = '?appBuildId=1&appChannelId=production&appDestinationId=x';
      expectInvalid(await app.api.get(`${path}${search}`), 'appBuildId', 'appChannelId', 'appDestinationId');
    });

    it('knows nothing of builds and channels of other apps', async () => {
      const other = await createApp(app.tenant);
      await registerBundle(other);
      expect((await app.api.get(`${path}?appChannelId=${other.defaultChannelId}`)).body).toEqual([]);
    });
  });

  describe('relations', () => {
    it('come when they are asked for', async () => {
      const { id } = await createDeployment(app, { appBuildId: buildId });
      const plain = (await app.api.get(`${path}/${id}`)).body as object;
      expect(plain).not.toHaveProperty('appBuild');
      expect(plain).not.toHaveProperty('job');
      for (const url of [`${path}/${id}`, path]) {
        const { body } = await app.api.get(`${url}?relations=appBuild,job,job.jobLogs,unknown`);
        const [shown] = (Array.isArray(body) ? body : [body]) as object[];
        expect(shown).toMatchObject({
          id,
          jobId: null,
          job: { id, appDeploymentId: id, status: 'succeeded' },
          appBuild: { id: buildId, appId: app.id, platform: 'web' },
        });
      }
      expect((await app.api.get(`${path}/${id}?relations=appBuild`)).body).not.toHaveProperty('job');
    });
  });

  it('go with their channel', async () => {
    const channel = await createChannel(app);
    const { id } = await createDeployment(app, { appBuildId: buildId, appChannelId: channel.id });
    await app.api.delete(`${app.path}/channels/${channel.id}`);
    expectError(await app.api.get(`${path}/${id}`), 404, 'deployment_not_found');
    expect((await app.api.get(`${app.path}/builds/${buildId}`)).status).toBe(200);
  });

  it('cannot be deleted', async () => {
    const { id } = await createDeployment(app, { appBuildId: buildId });
    expectError(await app.api.request('delete', `${path}/${id}`), 405, 'method_not_allowed');
  });
});
