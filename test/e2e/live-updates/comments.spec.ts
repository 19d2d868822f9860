import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createMember, type Actor } from '../../builders/identities.js';
import { publishZip } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { eventsOfRequest } from '../../support/organizations/audit-log.js';

interface Shown {
  readonly id: string;
  readonly etag: string;
  readonly notes: string | null;
  readonly comment: string | null;
  readonly createdBy: { readonly id: string } | null;
  readonly updatedBy: { readonly id: string } | null;
}

/** What browsers would run, and what breaks lines and columns. */
const HOSTILE = '<img src=x onerror=alert(1)>\n"é 𝄞\u202Eabc\'; DROP TABLE deployments; --';

let app: TestApp;
let bundle: TestBundle;
let other: Actor;

beforeEach(async () => {
  app = await createApp();
  bundle = await registerBundle(app);
  other = await createMember(app.tenant, 'member');
});

const path = (id: string | null): string => `${app.path}/deployments/${id}`;
const show = async (id: string | null): Promise<Shown> => (await app.api.get(path(id))).body as Shown;
const list = async (): Promise<Shown[]> =>
  (await app.api.get(`${app.path}/deployments?limit=5`)).body as Shown[];
/** The data of the last event of an object with this type. */
const lastEvent = async (objectId: string | null, type: string) => {
  const events = await recordedEvents({ objectId: objectId ?? '' });
  return events.findLast((event) => event.type === type);
};

describe('notes', () => {
  it('are of a deployment to a channel, as they were written', async () => {
    const { id } = await createDeployment(app, { appBuildId: bundle.buildId, notes: HOSTILE });
    expect(await show(id)).toMatchObject({ notes: HOSTILE });
    expect((await list())[0]).toMatchObject({ id, notes: HOSTILE });
    expect((await lastEvent(id, 'app_deployment_created'))?.data).toMatchObject({ notes: HOSTILE });
    expect(await show(bundle.deploymentId)).toMatchObject({ notes: null, comment: null });
  });

  it('go from a registered or published bundle to its deployment', async () => {
    const registered = await registerBundle(app, { notes: 'Fixes the checkout' });
    expect(await show(registered.deploymentId)).toMatchObject({ notes: 'Fixes the checkout' });
    expect((await app.api.get(registered.path)).body).toMatchObject({ notes: 'Fixes the checkout' });
    const published = await publishZip(app, { 'index.html': 'a' }, { values: { notes: 'Faster' } });
    expect(await show(published.deploymentId)).toMatchObject({ notes: 'Faster' });
  });

  it('have at most 4,000 characters', async () => {
    const body = { appBuildId: bundle.buildId, appChannelId: app.defaultChannelId };
    const deploy = (notes: unknown) => app.api.post(`${app.path}/deployments`, { ...body, notes });
    const longest = '𝄞'.repeat(4000);
    expect((await deploy(longest)).body).toMatchObject({ notes: longest });
    for (const wrong of [`${longest}x`, 1, { de: 'x' }, ['x']]) expectInvalid(await deploy(wrong), 'notes');
    const long = { artifactType: 'manifest', notes: 'x'.repeat(4001) };
    expectInvalid(await app.api.post(`${app.path}/bundles`, long), 'notes');
    expect((await createBundle(app, { notes: null })).id).toBeDefined();
  });

  it('are refused for stores, which have release notes', async () => {
    const body = { appBuildId: bundle.buildId, appDestinationName: 'Play', notes: 'x' };
    expectInvalid(await app.api.post(`${app.path}/deployments`, body), 'notes');
  });
});

describe('a comment', () => {
  const setShare = (who: Actor, id: string | null, body: object) => who.api.patch(path(id), body);

  it('says why a share was changed, and who has said so', async () => {
    const { id } = await createDeployment(app, { appBuildId: bundle.buildId, comment: 'First' });
    const { userId } = app.tenant.owner;
    expect(await show(id)).toMatchObject({
      comment: 'First',
      createdBy: { id: userId },
      updatedBy: { id: userId },
    });
    const changed = await setShare(other, id, { rolloutPercentage: 0.5, comment: HOSTILE });
    expect(changed.body).toMatchObject({
      comment: HOSTILE,
      createdBy: { id: userId },
      updatedBy: { id: other.userId },
    });
    const event = await lastEvent(id, 'app_deployment_share_changed');
    expect(event).toMatchObject({ userId: other.userId, appId: app.id, channelId: app.defaultChannelId });
    expect(event?.data).toMatchObject({
      appDeploymentId: id,
      rolloutPercentage: 0.5,
      before: { rolloutPercentage: 1 },
      after: { rolloutPercentage: 0.5 },
      comment: HOSTILE,
    });
    const [audited] = await eventsOfRequest(app.tenant, changed);
    expect(audited).toMatchObject({
      before: { rolloutPercentage: 1, comment: 'First' },
      after: { rolloutPercentage: 0.5, comment: HOSTILE },
    });
    expect(Object.keys(audited?.after ?? {}).sort()).toEqual(['comment', 'rolloutPercentage']);
  });

  it('stays when none is sent, as the command-line tool does, and goes with null', async () => {
    const { id } = await createDeployment(app, { appBuildId: bundle.buildId, comment: 'First' });
    expect((await setShare(other, id, { rolloutPercentage: 0.5 })).body).toMatchObject({ comment: 'First' });
    expect((await lastEvent(id, 'app_deployment_share_changed'))?.data).toMatchObject({ comment: null });
    const cleared = await setShare(other, id, { rolloutPercentage: 0.5, comment: null });
    expect(cleared.body).toMatchObject({ comment: null });
    const events = await recordedEvents({ objectId: id });
    expect(events.filter(({ type }) => type === 'app_deployment_share_changed')).toHaveLength(1);
  });

  it('has at most 1,000 characters, wherever it is given', async () => {
    await putPlan(app, bundle.deploymentId ?? '', {}, 'start');
    const longest = '𝄞'.repeat(1000);
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    const send = (comment: unknown) => [
      app.api.patch(path(bundle.deploymentId), { rolloutPercentage: 0.1, comment }),
      app.api.patch(channel, { comment }),
      app.api.post(`${channel}/pause`, { comment }),
      app.api.post(`${channel}/resume`, { comment }),
      app.api.post(`${path(bundle.deploymentId)}/rollout-plan/hold`, { comment }),
      app.api.post(`${path(bundle.deploymentId)}/rollout-plan/abort`, { comment }),
      app.api.post(`${app.path}/deployments`, {
        appBuildId: bundle.buildId,
        appChannelId: app.defaultChannelId,
        comment,
      }),
    ];
    for (const wrong of [`${longest}x`, 1, {}, ['x']])
      for (const response of await Promise.all(send(wrong))) expectInvalid(response, 'comment');
    // The plan ends with the change of the share, or is held before.
    for (const { status } of await Promise.all(send(longest))) expect([200, 201, 204, 409]).toContain(status);
  });

  it('is of the plan that a user holds or aborts, until it goes on', async () => {
    const { id } = await createDeployment(app, { appBuildId: bundle.buildId, rolloutPercentage: 0 });
    await putPlan(app, id, {}, 'start');
    const act = async (action: string, body?: object) =>
      (await app.api.post(`${path(id)}/rollout-plan/${action}`, body)).body as { comment: string | null };
    expect(await act('hold', { comment: 'Crashes' })).toMatchObject({ state: 'held', comment: 'Crashes' });
    expect((await lastEvent(id, 'app_rollout_held'))?.data).toMatchObject({ comment: 'Crashes' });
    expect(await act('resume')).toMatchObject({ state: 'running', comment: null });
    expect(await act('hold')).toMatchObject({ state: 'held', comment: null });
    expect(await act('abort', { comment: 'Too many' })).toMatchObject({
      state: 'aborted',
      comment: 'Too many',
    });
    expect((await lastEvent(id, 'app_rollout_aborted'))?.data).toMatchObject({ comment: 'Too many' });
    expect((await lastEvent(id, 'app_deployment_rolled_back'))?.data).toMatchObject({ comment: 'Too many' });
    expect(await show(id)).toMatchObject({ comment: 'Too many' });
  });

  it('says why a build was deployed again', async () => {
    const bad = await registerBundle(app);
    await createDeployment(app, { appBuildId: bundle.buildId, comment: 'Checkout fails' });
    expect((await lastEvent(bad.deploymentId, 'app_deployment_rolled_back'))?.data).toMatchObject({
      reason: 'older-build',
      comment: 'Checkout fails',
    });
  });

  it('says why a channel is paused and resumed', async () => {
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    await other.api.post(`${channel}/pause`, { comment: 'Payments fail' });
    expect((await app.api.get(channel)).body).toMatchObject({
      comment: 'Payments fail',
      updatedBy: { id: other.userId },
    });
    expect((await lastEvent(app.defaultChannelId, 'app_channel_paused'))?.data).toMatchObject({
      comment: 'Payments fail',
    });
    expect((await app.api.request('post', `${channel}/resume`)).status).toBe(204);
    expect((await app.api.get(channel)).body).toMatchObject({ comment: null });
  });
});

describe('a channel that is changed', () => {
  it('has an event with the changed fields, who changed them and why', async () => {
    const channel = await createChannel(app, { name: 'beta' });
    const windows = [{ from: '2030-01-01T00:00:00.000Z', to: '2030-01-02T00:00:00.000Z', reason: null }];
    const change = { name: 'Beta 2', rollbackLimit: 2, freezeWindows: windows, protected: true };
    const patched = await app.api.patch(`${app.path}/channels/${channel.id}`, { ...change, comment: 'Sale' });
    expect(patched.body).toMatchObject({ comment: 'Sale', updatedBy: { id: app.tenant.owner.userId } });
    const event = await lastEvent(channel.id, 'app_channel_updated');
    expect(event).toMatchObject({
      userId: app.tenant.owner.userId,
      appId: app.id,
      channelId: channel.id,
    });
    expect(event?.data).toEqual({
      appChannelId: channel.id,
      appChannelName: 'Beta 2',
      pausedAt: null,
      expiresAt: null,
      before: { name: 'beta', freezeWindows: [], protectedAt: null },
      after: { name: 'Beta 2', freezeWindows: windows, protectedAt: expect.any(String) as string },
      comment: 'Sale',
    });
  });

  it('has none when nothing has changed, or when it is refused', async () => {
    const channel = await createChannel(app, { name: 'beta' });
    const patch = (body: object) => app.api.patch(`${app.path}/channels/${channel.id}`, body);
    const { etag } = (await patch({})).body as Shown;
    expect((await patch({ name: 'beta', rollbackLimit: 2, comment: 'x' })).status).toBe(200);
    expectError(await patch({ name: 'default' }), 409, 'channel_name_taken');
    const stale = app.api.request('patch', `${app.path}/channels/${channel.id}`).set('If-Match', etag);
    expectError(await stale.send({ name: 'gamma' }), 412, 'precondition_failed');
    expect(await lastEvent(channel.id, 'app_channel_updated')).toBeUndefined();
  });
});

describe('the etag of a body', () => {
  it('is taken by If-Match until the object changes, from lists, too', async () => {
    const [listed] = await list();
    const channels = (await app.api.get(`${app.path}/channels?relations=appDeployment`)).body as (Shown & {
      appDeployment: Shown;
    })[];
    expect(channels[0]?.appDeployment).toMatchObject({
      etag: listed?.etag,
      createdBy: { id: app.tenant.owner.userId },
      updatedBy: { id: app.tenant.owner.userId },
    });
    const targets: [string, string | undefined, object][] = [
      [path(bundle.deploymentId), listed?.etag, { rolloutPercentage: 0.5 }],
      [`${app.path}/channels/${app.defaultChannelId}`, channels[0]?.etag, { rollbackLimit: 3 }],
    ];
    for (const [target, etag = '', body] of targets) {
      const header = (await app.api.get(target)).headers['etag'] as string;
      expect(header.startsWith(etag.slice(0, -1))).toBe(true);
      const patch = () => app.api.request('patch', target).set('If-Match', etag).send(body);
      const changed = await patch();
      expect(changed.status).toBe(200);
      expectError(await patch(), 412, 'precondition_failed');
      const { etag: next } = changed.body as Shown;
      expect((await app.api.request('patch', target).set('If-Match', next).send(body)).status).toBe(200);
    }
  });
});
