import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { type Actor, createMember } from '../../builders/identities.js';
import { publishZip } from '../../builders/publication.js';
import { recordedEvents, type RecordedTestEvent } from '../../support/events/recorded-events.js';
import { expectError } from '../../support/http/expect-error.js';

interface Deployment extends Record<string, unknown> {
  readonly id: string;
}

let app: TestApp;
let bundle: TestBundle;

beforeEach(async () => {
  app = await createApp();
  bundle = await registerBundle(app);
});

/** The events of live updates of the app, in their order, without those of the first bundle and of shares. */
async function events(): Promise<RecordedTestEvent[]> {
  const all = await recordedEvents(app.tenant);
  return all.filter(
    ({ type, objectId }) =>
      /^app_(deployment|approval|rollout)/.test(type) &&
      type !== 'app_deployment_share_changed' &&
      (objectId !== bundle.deploymentId || type === 'app_deployment_rolled_back'),
  );
}

/** Type and object of each. */
const history = async (): Promise<string[][]> =>
  (await events()).map(({ type, objectId }) => [type, objectId]);
const deploymentsOf = (): string => `${app.path}/deployments`;
const show = async (id: string): Promise<Deployment> =>
  (await app.api.get(`${deploymentsOf()}/${id}`)).body as Deployment;

describe('a deployment to a channel', () => {
  it('has two events: it was created, as the API shows it, and is live', async () => {
    const { buildId } = bundle;
    const { id } = await createDeployment(app, { appBuildId: buildId, rolloutPercentage: 0.25 });
    const { createdBy, updatedBy, takenBackAt, etag, ...shown } = await show(id);
    expect(takenBackAt).toBeNull();
    for (const onlyShown of [createdBy, updatedBy, etag]) expect(onlyShown).toEqual(expect.anything());
    const [created, live, ...others] = await events();
    const envelope = { objectId: id, appId: app.id, channelId: app.defaultChannelId };
    expect(created).toMatchObject({ ...envelope, type: 'app_deployment_created' });
    expect(created?.userId).toBe(app.tenant.owner.userId);
    const warnings = [expect.objectContaining({ code: 'same_content' })];
    expect(created?.data).toEqual({ ...shown, warnings, appAutomationId: null });
    expect(live).toMatchObject({ ...envelope, type: 'app_deployment_live' });
    expect(live?.data).toEqual({
      appDeploymentId: id,
      appBuildId: buildId,
      appBuildNumber: 1,
      appAutomationId: null,
      appChannelId: app.defaultChannelId,
      appChannelName: 'default',
      appDestinationId: null,
      appDestinationName: null,
      rolloutPercentage: 0.25,
      emergencyReason: null,
    });
    expect(others).toEqual([]);
  });

  it('has them however it is made: with a registered or a published bundle', async () => {
    const { deploymentId: registered } = await registerBundle(app);
    const { deploymentId: published } = await publishZip(app, { 'index.html': 'a' });
    expect(await history()).toEqual([
      ['app_deployment_created', registered],
      ['app_deployment_live', registered],
      ['app_deployment_created', published],
      ['app_deployment_live', published],
    ]);
  });

  it('has them once when the request is sent again', async () => {
    const body = { appBuildId: bundle.buildId, appChannelId: app.defaultChannelId };
    const send = () =>
      app.api.request('post', deploymentsOf()).set('Idempotency-Key', `"${bundle.buildId}"`).send(body);
    const responses = await Promise.all([send(), send()]);
    expect(responses.map(({ status }) => status)).toContain(201);
    expect((await send()).status).toBe(201);
    expect((await events()).map(({ type }) => type)).toEqual([
      'app_deployment_created',
      'app_deployment_live',
    ]);
  });

  it('has none when it is refused', async () => {
    const window = { from: new Date(0).toISOString(), to: '2999-01-01T00:00:00.000Z' };
    const frozen = await createChannel(app, { freezeWindows: [window] });
    const body = { appBuildId: bundle.buildId, appChannelId: frozen.id };
    expectError(await app.api.post(deploymentsOf(), body), 409, 'channel_frozen');
    const path = `${deploymentsOf()}/${bundle.deploymentId}`;
    const stale = app.api.request('patch', path).set('If-Match', '"0"').send({ rolloutPercentage: 0 });
    expectError(await stale, 412, 'precondition_failed');
    expect(await events()).toEqual([]);
  });

  it('says why a freeze was overridden', async () => {
    const window = { from: new Date(0).toISOString(), to: '2999-01-01T00:00:00.000Z' };
    const frozen = await createChannel(app, { freezeWindows: [window] });
    await createDeployment(app, {
      appBuildId: bundle.buildId,
      appChannelId: frozen.id,
      emergency: { reason: 'Payments fail' },
    });
    const [created, live] = await events();
    expect(created?.data).toMatchObject({ emergency: { reason: 'Payments fail' } });
    expect(live?.data).toMatchObject({ emergencyReason: 'Payments fail' });
  });
});

describe('a deployment is rolled back', () => {
  const setShare = (id: string, rolloutPercentage: number) =>
    app.api.patch(`${deploymentsOf()}/${id}`, { rolloutPercentage });

  it('by an older build that is deployed again, as the CLI does', async () => {
    const { deploymentId, buildId } = await registerBundle(app);
    const { id: back } = await createDeployment(app, { appBuildId: bundle.buildId });
    const { id: forward } = await createDeployment(app, { appBuildId: buildId });
    expect((await history()).slice(2)).toEqual([
      ['app_deployment_created', back],
      ['app_deployment_live', back],
      ['app_deployment_rolled_back', deploymentId],
      ['app_deployment_created', forward],
      ['app_deployment_live', forward],
    ]);
    const rolledBack = (await events()).find(({ type }) => type === 'app_deployment_rolled_back');
    expect(rolledBack?.data).toMatchObject({
      appDeploymentId: deploymentId,
      appBuildNumber: 2,
      appAutomationId: null,
      reason: 'older-build',
      newAppDeploymentId: back,
    });
  });

  it('by an older build as soon as its share is above 0', async () => {
    const { deploymentId } = await registerBundle(app);
    const values = { appBuildId: bundle.buildId, rolloutPercentage: 0 };
    const { id: back } = await createDeployment(app, values);
    expect((await history()).slice(2)).toEqual([
      ['app_deployment_created', back],
      ['app_deployment_live', back],
    ]);
    await setShare(back, 0.1);
    await setShare(back, 1);
    expect((await history()).slice(4)).toEqual([['app_deployment_rolled_back', deploymentId]]);
  });

  it('not by an older build that the channel has never delivered', async () => {
    const other = await createChannel(app);
    const older = await registerBundle(app, { channelName: other.name });
    await registerBundle(app);
    await createDeployment(app, { appBuildId: older.buildId });
    expect((await events()).map(({ type }) => type)).not.toContain('app_deployment_rolled_back');
  });

  it('by a share of 0, once', async () => {
    const id = bundle.deploymentId ?? '';
    await Promise.all([setShare(id, 0), setShare(id, 0)]);
    await setShare(id, 0);
    expect(await history()).toEqual([['app_deployment_rolled_back', id]]);
    expect((await events())[0]?.data).toMatchObject({
      reason: 'share-withdrawn',
      newAppDeploymentId: null,
      rolloutPercentage: 0,
    });
    await setShare(id, 0.5);
    await setShare(id, 0.2);
    expect(await events()).toHaveLength(1);
  });

  it('by older clients that change the share with the bundle', async () => {
    const published = await publishZip(app, { 'index.html': 'a' });
    expect((await app.api.patch(published.path, { rolloutPercentage: 0 })).status).toBe(200);
    expect((await history()).slice(2)).toEqual([['app_deployment_rolled_back', published.deploymentId]]);
  });
});

describe('a deployment that needs approvals', () => {
  let author: Actor;
  let ada: Actor;
  let bob: Actor;
  let id: string;

  beforeEach(async () => {
    [author, ada, bob] = await Promise.all([
      createMember(app.tenant, 'member'),
      createMember(app.tenant, 'member'),
      createMember(app.tenant, 'admin'),
    ]);
    const channel = await createChannel(app, { name: 'production', requiredApprovals: 2 });
    const body = { appBuildId: bundle.buildId, appChannelId: channel.id };
    ({ id } = (await author.api.post(deploymentsOf(), body)).body as Deployment);
  });

  const approvals = (who: Actor, body: object = {}) =>
    who.api.post(`${deploymentsOf()}/${id}/approvals`, body);
  /** The events after the creation and the request. */
  const decisions = async () => {
    const [created, requested, ...others] = await events();
    expect(created).toMatchObject({ type: 'app_deployment_created', data: { approvalStatus: 'pending' } });
    expect(requested).toMatchObject({ type: 'app_approval_requested', userId: author.userId });
    expect(requested?.data).toMatchObject({
      appDeploymentId: id,
      appChannelName: 'production',
      createdByUserId: author.userId,
      userId: author.userId,
      requiredApprovals: 2,
      missingApprovals: 2,
      comment: null,
      emergencyReason: null,
    });
    return others.map(({ type, data }) => ({ type: type.replace('app_', ''), ...data }));
  };

  it('goes live with the last one', async () => {
    await approvals(ada, { comment: 'Looks right' });
    expectError(await approvals(ada), 409, 'already_approved');
    expectError(await approvals(author), 403, 'own_deployment');
    await approvals(bob);
    const missing = { requiredApprovals: 2, createdByUserId: author.userId };
    expect(await decisions()).toMatchObject([
      { type: 'approval_given', userId: ada.userId, missingApprovals: 1, comment: 'Looks right', ...missing },
      { type: 'approval_given', userId: bob.userId, missingApprovals: 0, comment: null, ...missing },
      { type: 'deployment_live', emergencyReason: null },
    ]);
  });

  it('goes live once when two people give the last one', async () => {
    await Promise.all([approvals(ada), approvals(bob), approvals(app.tenant.owner)]);
    const types = (await decisions()).map(({ type }) => type);
    expect(types).toEqual(['approval_given', 'approval_given', 'deployment_live']);
  });

  it('waits when one is withdrawn', async () => {
    await approvals(ada);
    await ada.api.delete(`${deploymentsOf()}/${id}/approvals`);
    expect(await decisions()).toMatchObject([
      { type: 'approval_given', missingApprovals: 1 },
      { type: 'approval_withdrawn', userId: ada.userId, missingApprovals: 2 },
    ]);
  });

  it('is rejected once', async () => {
    const reject = (who: Actor) => who.api.post(`${deploymentsOf()}/${id}/reject`, { comment: 'Broken' });
    await Promise.all([reject(ada), reject(bob)]);
    expect(await decisions()).toMatchObject([{ type: 'approval_rejected', comment: 'Broken' }]);
  });

  it('says why the approvals were overridden', async () => {
    await approvals(bob, { emergency: { reason: 'Payments fail' } });
    expect(await decisions()).toMatchObject([
      {
        type: 'approval_given',
        userId: bob.userId,
        missingApprovals: 0,
        emergencyReason: 'Payments fail',
      },
      { type: 'deployment_live', emergencyReason: 'Payments fail' },
    ]);
  });
});
