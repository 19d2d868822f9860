import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createMember } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
const emergency = { reason: 'INC-42' };

let app: TestApp;
let channel: TestChannel;
let buildId: string;

beforeEach(async () => {
  app = await createApp();
  channel = await createChannel(app);
  ({ buildId } = await registerBundle(app));
});

const path = (): string => `${app.path}/channels/${channel.id}`;
const freeze = (from = -1, to = 1) =>
  app.api.patch(path(), { freezeWindows: [{ from: inHours(from), to: inHours(to), reason: 'Holidays' }] });
const thaw = () => app.api.patch(path(), { freezeWindows: null });
const deploy = (values: object = {}) =>
  app.api.post(`${app.path}/deployments`, { appBuildId: buildId, appChannelId: channel.id, ...values });

describe('freeze windows', () => {
  it('are shown as they were set, and cleared', async () => {
    const [from, to] = [inHours(5), inHours(6)];
    const { body } = await app.api.patch(path(), { freezeWindows: [{ from, to }] });
    expect(body).toMatchObject({ freezeWindows: [{ from, to, reason: null }] });
    expect((await app.api.patch(path(), { protected: false })).body).toMatchObject({
      freezeWindows: [{ from, to }],
    });
    expect((await thaw()).body).toMatchObject({ freezeWindows: [] });
    const created = await app.api.post(`${app.path}/channels`, {
      name: 'frozen',
      freezeWindows: [{ from, to }],
    });
    expect(created.body).toMatchObject({ freezeWindows: [{ from, to, reason: null }] });
  });

  const [from, to] = ['2026-12-24T00:00:00Z', '2026-12-27T00:00:00Z'];
  it.each([
    ['weekends', ['freezeWindows']],
    [[{ from: to, to: from }], ['freezeWindows.0.to']],
    [
      [
        { from, to },
        { from, to: from },
      ],
      ['freezeWindows.1.to'],
    ],
    [[{ from: 1_798_790_400, to: 1_798_876_800 }], ['freezeWindows.0.from', 'freezeWindows.0.to']],
    [[{ from }], ['freezeWindows.0.to']],
    [[{ from: 'Friday', to, reason: 5 }], ['freezeWindows.0.from', 'freezeWindows.0.reason']],
    [[{ from, to, reason: 'x'.repeat(501) }], ['freezeWindows.0.reason']],
    [[[]], ['freezeWindows']],
    [[{ from, to, until: to }], ['freezeWindows']],
    [Array.from({ length: 101 }, () => ({ from, to })), ['freezeWindows']],
  ])('are not %j', async (freezeWindows, fields) => {
    expectInvalid(await app.api.patch(path(), { freezeWindows }), ...fields);
    expectInvalid(await app.api.post(`${app.path}/channels`, { name: 'frozen', freezeWindows }), ...fields);
  });
});

describe('a frozen channel', () => {
  it('takes no deployments, and those before and after it does', async () => {
    await freeze(1, 2);
    expect((await deploy()).status).toBe(201);
    await freeze();
    const refused = await deploy();
    expect(expectError(refused, 409, 'channel_frozen').message).toMatch(
      /is frozen until \S+Z \(Holidays\)\.$/,
    );
    await freeze(-2, -1);
    expect((await deploy()).status).toBe(201);
  });

  it('takes no bundles: publishing fails as a whole, and succeeds afterwards', async () => {
    await freeze();
    const values = { artifactType: 'zip', url: 'https://cdn.example.com/1.zip', channelName: channel.name };
    expectError(await app.api.post(`${app.path}/bundles`, values), 409, 'channel_frozen');
    expect((await createBundle(app, { channelName: channel.name })).deploymentId).toBeNull();
    await expect(uploadBundle(app, { channelName: channel.name })).rejects.toThrow('channel_frozen');
    await thaw();
    expect((await uploadBundle(app, { channelName: channel.name })).deploymentId).not.toBeNull();
  });

  it('lets shares shrink, but not grow', async () => {
    const { id } = await createDeployment(app, { appChannelId: channel.id, rolloutPercentage: 0.5 });
    const change = (rolloutPercentage: number, values: object = {}) =>
      app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage, ...values });
    await freeze();
    expectError(await change(0.6), 409, 'channel_frozen');
    expect((await change(0.5)).status).toBe(200);
    expect((await change(0.4)).status).toBe(200);
    const override = await change(0.7, { emergency });
    expect(override.body).toMatchObject({
      rolloutPercentage: 0.7,
      emergency: { reason: emergency.reason, userId: app.tenant.owner.userId },
    });
  });

  it('lets an emergency through', async () => {
    await freeze();
    expect((await deploy({ emergency })).body).toMatchObject({ emergency: { reason: emergency.reason } });
    const member = await createMember(app.tenant, 'member');
    const body = { appBuildId: buildId, appChannelId: channel.id, emergency };
    expectError(await member.api.post(`${app.path}/deployments`, body), 403, 'not_authorized');
  });

  it('takes bundles in an emergency: published, registered, and the share that older clients send', async () => {
    await freeze();
    const upload = await createBundle(app, { channelName: channel.name, rolloutPercentage: 0.1 });
    await uploadFiles(upload, { 'index.html': 'urgent' });
    expectError(await publish(upload), 409, 'channel_frozen');
    expect((await publish(upload, { emergency })).body).toMatchObject({
      artifactStatus: 'ready',
      appDeploymentId: expect.any(String) as string,
    });
    expectError(await app.api.patch(upload.path, { rolloutPercentage: 0.5 }), 409, 'channel_frozen');
    expect((await app.api.patch(upload.path, { rolloutPercentage: 0.5, emergency })).status).toBe(200);
    const values = { channelName: channel.name, emergency };
    expect((await registerBundle(app, values)).deploymentId).not.toBeNull();
  });

  it('is deleted only by those who may change its freezes, by its id or its name', async () => {
    await freeze();
    const [member, admin] = [
      await createMember(app.tenant, 'member'),
      await createMember(app.tenant, 'admin'),
    ];
    const byName = `${app.path}/channels?name=${channel.name.toUpperCase()}`;
    for (const target of [path(), byName]) {
      expectError(await member.api.delete(target), 403, 'not_authorized');
    }
    expect((await admin.api.delete(byName)).status).toBe(204);
    const { id } = await createChannel(app, {
      freezeWindows: [{ from: inHours(-2), to: inHours(-1) }],
    });
    expect((await member.api.delete(`${app.path}/channels/${id}`)).status).toBe(204);
  });

  it('lets nothing go live, but for an emergency; approvals before the last one count', async () => {
    await app.api.patch(path(), { requiredApprovals: 2 });
    const { id } = (await deploy()).body as { id: string };
    const { id: other } = (await deploy()).body as { id: string };
    await freeze();
    const [ada, bob] = [await createMember(app.tenant, 'member'), await createMember(app.tenant, 'admin')];
    const approvals = `${app.path}/deployments/${id}/approvals`;
    expect((await ada.api.post(approvals, {})).status).toBe(200);
    expectError(await bob.api.post(approvals, {}), 409, 'channel_frozen');
    expect((await app.api.get(approvals)).body).toHaveLength(1);
    const override = await bob.api.post(`${app.path}/deployments/${other}/approvals`, { emergency });
    expect(override.body).toMatchObject({ approvalStatus: 'approved', emergency: { userId: bob.userId } });
    await thaw();
    expect((await bob.api.post(approvals, {})).body).toMatchObject({ approvalStatus: 'approved' });
  });

  it('lets plans wait: none is started, and the next step comes when it is over', async () => {
    const { id } = await createDeployment(app, { appChannelId: channel.id, rolloutPercentage: 0 });
    const plan = async (): Promise<unknown> =>
      (await app.api.get(`${app.path}/deployments/${id}/rollout-plan`)).body;
    await putPlan(app, id);
    await freeze();
    expectError(
      await app.api.post(`${app.path}/deployments/${id}/rollout-plan/start`),
      409,
      'channel_frozen',
    );
    await thaw();
    await app.api.post(`${app.path}/deployments/${id}/rollout-plan/start`);
    await freeze();
    await passStep(id);
    await eventually(async () =>
      expect(await plan()).toMatchObject({
        state: 'running',
        stepIndex: 0,
        frozenUntil: expect.any(String) as string,
      }),
    );
    await thaw();
    await passStep(id);
    await eventually(async () => expect(await plan()).toMatchObject({ stepIndex: 1, frozenUntil: null }));
  });
});
