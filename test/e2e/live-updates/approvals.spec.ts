import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { type Actor, createMember } from '../../builders/identities.js';
import { publishZip, uploadBundle } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';

interface Deployment {
  readonly id: string;
  readonly approvalStatus: string;
}

const emergency = { reason: 'Payments fail; INC-42' };

let app: TestApp;
let channel: TestChannel;
let buildId: string;
let author: Actor;
let ada: Actor;
let bob: Actor;

beforeEach(async () => {
  app = await createApp();
  [author, ada, bob] = await Promise.all([
    createMember(app.tenant, 'member'),
    createMember(app.tenant, 'member'),
    createMember(app.tenant, 'admin'),
  ]);
  channel = await createChannel(app, { name: 'production', requiredApprovals: 2 });
  ({ buildId } = await registerBundle(app));
});

const deploymentsOf = (): string => `${app.path}/deployments`;
const create = (who: Actor, values: object = {}) =>
  who.api.post(deploymentsOf(), { appBuildId: buildId, appChannelId: channel.id, ...values });
const created = async (who = author): Promise<string> => ((await create(who)).body as Deployment).id;
const approve = (who: Actor, id: string, body: object = {}) =>
  who.api.post(`${deploymentsOf()}/${id}/approvals`, body);
const statusOf = async (id: string): Promise<string> =>
  ((await app.api.get(`${deploymentsOf()}/${id}`)).body as Deployment).approvalStatus;

/** What a device on the channel is offered; `null`: nothing. */
async function offered(): Promise<string | null> {
  const { status, body } = await new AndroidDevice({ appId: app.id, channelName: channel.name }).check();
  return status === 200 ? (JSON.parse(body.toString()) as { bundleId: string }).bundleId : null;
}

describe('a deployment to a channel that requires approvals', () => {
  it('is delivered when so many others have approved it', async () => {
    const { status, body } = await create(author);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      approvalStatus: 'pending',
      requiredApprovals: 2,
      createdByUserId: author.userId,
      emergency: null,
    });
    const { id } = body as Deployment;
    expect(await offered()).toBeNull();
    const first = await approve(ada, id, { comment: 'Looks right' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ id, approvalStatus: 'pending' });
    expect(await offered()).toBeNull();
    expect((await approve(bob, id)).body).toMatchObject({ approvalStatus: 'approved' });
    expect(await offered()).not.toBeNull();
    const list = await app.api.get(`${deploymentsOf()}/${id}/approvals`);
    expect(list.body).toMatchObject([
      {
        userId: ada.userId,
        user: { id: ada.userId, email: ada.email },
        decision: 'approved',
        comment: 'Looks right',
        appDeploymentId: id,
      },
      { userId: bob.userId, decision: 'approved', comment: null },
    ]);
    expect(list.headers['x-total-count']).toBe('2');
  });

  it('shows which approvals it has and lacks, and who can give them', async () => {
    const id = await created();
    const { owner } = app.tenant;
    await createMember(app.tenant, 'viewer');
    const state = async () => (await app.api.get(`${deploymentsOf()}/${id}/approval-state`)).body as object;
    const idsOf = (shown: object): string[] =>
      (shown as { approvers: { id: string }[] }).approvers.map((each) => each.id).sort();
    const before = await state();
    expect(before).toMatchObject({
      requiredApprovals: 2,
      missingApprovals: 2,
      decisions: [],
      totalApprovers: 3,
    });
    expect(idsOf(before)).toEqual([ada.userId, bob.userId, owner.userId].sort());
    await approve(ada, id, { comment: 'Looks right' });
    const after = await state();
    expect(after).toMatchObject({
      missingApprovals: 1,
      decisions: [
        { user: { id: ada.userId, email: ada.email }, decision: 'approved', comment: 'Looks right' },
      ],
      totalApprovers: 2,
    });
    expect(idsOf(after)).toEqual([bob.userId, owner.userId].sort());
    // Members who do not see the app are left out.
    await createTeam(app.tenant);
    expect(idsOf(await state())).toEqual([bob.userId, owner.userId].sort());
    await query(testEnvironment().databaseUrl, `UPDATE members SET role = 'member' WHERE user_id = $1`, [
      bob.userId,
    ]);
    expect(idsOf(await state())).toEqual([owner.userId]);
    await approve(owner, id);
    expect(await state()).toMatchObject({ missingApprovals: 0, approvers: [], totalApprovers: 0 });
    const stranger = await createApp();
    expectError(
      await stranger.api.get(`${stranger.path}/deployments/${id}/approval-state`),
      404,
      'deployment_not_found',
    );
  });

  it('leaves the channel with what it had until then', async () => {
    const old = await registerBundle(app);
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 0 });
    const { id: live } = await createDeployment(app, { appBuildId: old.buildId, appChannelId: channel.id });
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 1 });
    const pending = await created();
    expect(await offered()).toBe(old.id);
    const shown = async (): Promise<object> =>
      (await app.api.get(`${app.path}/channels/${channel.id}`)).body as object;
    expect(await shown()).toMatchObject({ appDeploymentId: live, totalAppDeployments: 2 });
    await approve(ada, pending);
    expect(await shown()).toMatchObject({ appDeploymentId: pending });
  });

  it('does not push what is delivered out of reach, however many wait', async () => {
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 0 });
    await create(author);
    const live = await offered();
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 1 });
    for (let batch = 0; batch < 6; batch++) {
      await Promise.all(Array.from({ length: 20 }, () => create(author)));
    }
    expect(await offered()).toBe(live);
  });

  it('is not approved by the user who created it, with whatever token', async () => {
    const id = await created(bob);
    expectError(await approve(bob, id), 403, 'own_deployment');
    const { api } = await createToken(bob.api);
    expectError(await api.post(`${deploymentsOf()}/${id}/approvals`, {}), 403, 'own_deployment');
    expect(await statusOf(id)).toBe('pending');
  });

  it('is approved once by one person, with whatever tokens', async () => {
    const id = await created();
    await approve(ada, id);
    const { api } = await createToken(ada.api);
    expectError(await api.post(`${deploymentsOf()}/${id}/approvals`, {}), 409, 'already_approved');
    expect(await statusOf(id)).toBe('pending');
  });

  it('goes live once when all approve at once, and by one person never', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createMember(app.tenant, 'member')));
    const id = await created();
    const answers = await Promise.all(others.map((other) => approve(other, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect(await statusOf(id)).toBe('approved');
    const again = await created();
    const same = await Promise.all(Array.from({ length: 5 }, () => approve(ada, again)));
    expect(same.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await statusOf(again)).toBe('pending');
  });

  it('loses an approval that is withdrawn before it is live', async () => {
    const id = await created();
    const path = `${deploymentsOf()}/${id}/approvals`;
    expectError(await ada.api.delete(path), 404, 'deployment_approval_not_found');
    await approve(ada, id);
    expect((await ada.api.delete(path)).status).toBe(204);
    await approve(bob, id);
    expect(await statusOf(id)).toBe('pending');
    await approve(ada, id);
    expect(await statusOf(id)).toBe('approved');
    expectError(await ada.api.delete(path), 409, 'deployment_not_pending');
  });

  it('is never delivered when it is rejected', async () => {
    const id = await created();
    await approve(ada, id);
    const { status, body } = await ada.api.post(`${deploymentsOf()}/${id}/reject`, { comment: 'No' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ approvalStatus: 'rejected' });
    expectError(await approve(bob, id), 409, 'deployment_not_pending');
    expectError(await approve(app.tenant.owner, id, { emergency }), 409, 'deployment_not_pending');
    expect(await offered()).toBeNull();
    const own = await created();
    expect((await author.api.post(`${deploymentsOf()}/${own}/reject`)).status).toBe(200);
  });

  it('needs what the channel required when it was created', async () => {
    const id = await created();
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 0 });
    await approve(ada, id);
    expect(await statusOf(id)).toBe('pending');
    expect(await statusOf(await created())).toBe('approved');
  });

  it('comes of publishing, which succeeds', async () => {
    const upload = await uploadBundle(app, { channelName: channel.name });
    expect(upload.deploymentId).not.toBeNull();
    expect(await statusOf(upload.deploymentId ?? '')).toBe('pending');
    expect(await offered()).toBeNull();
    await approve(ada, upload.deploymentId ?? '');
    await approve(bob, upload.deploymentId ?? '');
    expect(await offered()).toBe(upload.id);
  });

  it('is downloaded by a device as soon as it is live', async () => {
    const site = { ...app, api: author.api };
    const { id: bundleId, deploymentId } = await publishZip(
      site,
      { 'index.html': '<h1>New</h1>' },
      { values: { channelName: channel.name } },
    );
    const device = new AndroidDevice({ appId: app.id, channelName: channel.name });
    expect((await device.check()).status).toBe(404);
    await approve(ada, deploymentId);
    await approve(bob, deploymentId);
    expect(await device.sync()).toMatchObject({ bundleId });
  });

  it('is of this app', async () => {
    const id = await created();
    const other = await createApp(app.tenant);
    for (const path of [`${other.path}/deployments/${id}`, `${deploymentsOf()}/${randomUUID()}`]) {
      expectError(await ada.api.get(`${path}/approvals`), 404, 'deployment_not_found');
      expectError(await ada.api.post(`${path}/approvals`, {}), 404, 'deployment_not_found');
      expectError(await ada.api.delete(`${path}/approvals`), 404, 'deployment_not_found');
      expectError(await ada.api.post(`${path}/reject`, {}), 404, 'deployment_not_found');
    }
  });

  it('ends the plan of the one before when it goes live, not earlier', async () => {
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 0 });
    const { id: before } = (await create(author, { rolloutPercentage: 0 })).body as Deployment;
    await putPlan(app, before, {}, 'start');
    await app.api.patch(`${app.path}/channels/${channel.id}`, { requiredApprovals: 1 });
    const id = await created();
    const plan = async (): Promise<unknown> =>
      (await app.api.get(`${deploymentsOf()}/${before}/rollout-plan`)).body;
    expect(await plan()).toMatchObject({ state: 'running' });
    await approve(ada, id);
    expect(await plan()).toMatchObject({ state: 'aborted', reason: 'superseded' });
  });

  it('and every decision about it are in the audit log', async () => {
    const id = await created();
    await approve(ada, id);
    await approve(bob, id);
    const log = async (type: string): Promise<unknown> =>
      (
        await app.api.get(
          `/v1/organizations/${app.tenant.organizationId}/audit-events?appId=${app.id}&objectType=${type}`,
        )
      ).body;
    expect(await log('deployment-approval')).toMatchObject([
      { actor: { userId: bob.userId }, after: { decision: 'approved', appDeploymentId: id } },
      { actor: { userId: ada.userId }, after: { decision: 'approved' } },
    ]);
    const [live] = (await log('deployment')) as object[];
    expect(live).toMatchObject({
      object: { id },
      actor: { userId: bob.userId },
      before: { approvalStatus: 'pending' },
      after: { approvalStatus: 'approved' },
    });
  });
});

describe('an emergency', () => {
  it('delivers at once what an owner or admin creates, and is remembered', async () => {
    const { status, body } = await create(bob, { emergency });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      approvalStatus: 'approved',
      requiredApprovals: 2,
      emergency: { reason: emergency.reason, userId: bob.userId, at: expect.any(String) as string },
    });
    expect(await offered()).not.toBeNull();
    const { body: events } = await app.api.get(
      `/v1/organizations/${app.tenant.organizationId}/audit-events?objectId=${(body as Deployment).id}`,
    );
    expect(events).toMatchObject([{ action: 'created', after: { emergencyReason: emergency.reason } }]);
  });

  it('delivers what is pending, also of its caller', async () => {
    const id = await created(bob);
    expect((await approve(bob, id, { emergency })).body).toMatchObject({
      approvalStatus: 'approved',
      emergency: { userId: bob.userId },
    });
  });

  it('delivers at once what an owner or admin publishes', async () => {
    const upload = await createBundle({ ...app, api: bob.api }, { channelName: channel.name });
    await uploadFiles(upload, { 'index.html': 'urgent' });
    const { status, body } = await publish(upload, { emergency });
    expect(status).toBe(200);
    expect(await offered()).toBe(upload.id);
    const { appDeploymentId } = body as { appDeploymentId: string };
    const shown = await app.api.get(`${deploymentsOf()}/${appDeploymentId}`);
    expect(shown.body).toMatchObject({
      approvalStatus: 'approved',
      requiredApprovals: 2,
      emergency: { reason: emergency.reason, userId: bob.userId },
    });
    const { body: events } = await app.api.get(
      `/v1/organizations/${app.tenant.organizationId}/audit-events?objectId=${appDeploymentId}`,
    );
    expect(events).toMatchObject([
      { action: 'created', actor: { userId: bob.userId }, after: { emergencyReason: emergency.reason } },
    ]);
  });

  it('delivers at once what an owner or admin registers', async () => {
    const registered = await registerBundle(
      { ...app, api: bob.api },
      { channelName: channel.name, emergency },
    );
    expect(await offered()).toBe(registered.id);
    const shown = await app.api.get(`${deploymentsOf()}/${registered.deploymentId}`);
    expect(shown.body).toMatchObject({ emergency: { reason: emergency.reason, userId: bob.userId } });
  });

  it('is no way for members and limited tokens to publish, and changes nothing then', async () => {
    const values = { artifactType: 'zip', url: 'https://cdn.example.com/1.zip', channelName: channel.name };
    const upload = await createBundle({ ...app, api: author.api }, { channelName: channel.name });
    await uploadFiles(upload, { 'index.html': 'urgent' });
    const builds = (await app.api.get(`${app.path}/builds`)).headers['x-total-count'];
    const limited = await createToken(app.api, { permissions: ['bundles:write'] });
    for (const [{ api }, code] of [
      [author, 'not_authorized'],
      [limited, 'token_limited'],
    ] as const) {
      expectError(await api.post(`${app.path}/bundles`, { ...values, emergency }), 403, code);
      expectError(await api.patch(upload.path, { artifactStatus: 'ready', emergency }), 403, code);
    }
    expect((await app.api.get(`${app.path}/builds`)).headers['x-total-count']).toBe(builds);
    expect((await app.api.patch(upload.path, {})).body).toMatchObject({ artifactStatus: 'pending' });
  });

  it('belongs to a request that deploys', async () => {
    const values = { artifactType: 'manifest', channelName: channel.name };
    expectInvalid(await bob.api.post(`${app.path}/bundles`, { ...values, emergency }), 'emergency');
    const upload = await createBundle(app, { channelName: channel.name });
    expectInvalid(await bob.api.patch(upload.path, { emergency }), 'emergency');
    expectInvalid(await bob.api.patch(upload.path, { emergency: {} }), 'emergency.reason');
    expect((await bob.api.patch(upload.path, { emergency: null })).status).toBe(200);
  });

  it('is called by owners and admins only, and not without a reason', async () => {
    expectError(await create(author, { emergency }), 403, 'not_authorized');
    const id = await created();
    expectError(await approve(ada, id, { emergency }), 403, 'not_authorized');
    const change = { rolloutPercentage: 0.5, emergency };
    expectError(await ada.api.patch(`${deploymentsOf()}/${id}`, change), 403, 'not_authorized');
    const limited = await createToken(app.api, { permissions: ['deployments:write', 'deployments:read'] });
    const refused = await limited.api.post(deploymentsOf(), {
      appBuildId: buildId,
      appChannelId: channel.id,
      emergency,
    });
    expectError(refused, 403, 'token_limited');
    expect(await statusOf(id)).toBe('pending');
    for (const reason of ['', 5, null, 'x'.repeat(1001)]) {
      expectInvalid(await create(bob, { emergency: { reason } }), 'emergency.reason');
    }
    for (const wrong of ['now', [], true])
      expectInvalid(await create(bob, { emergency: wrong }), 'emergency');
  });
});

describe('the rules of a channel', () => {
  const path = (): string => `${app.path}/channels/${channel.id}`;

  it('are set by owners and admins', async () => {
    expectError(await ada.api.patch(path(), { requiredApprovals: 0 }), 403, 'not_authorized');
    expectError(await ada.api.patch(path(), { freezeWindows: [] }), 403, 'not_authorized');
    const free = { name: 'free', requiredApprovals: 0 };
    expectError(await ada.api.post(`${app.path}/channels`, free), 403, 'not_authorized');
    expect((await bob.api.patch(path(), { requiredApprovals: 5 })).body).toMatchObject({
      requiredApprovals: 5,
    });
    expect((await ada.api.patch(path(), { protected: true })).status).toBe(200);
  });

  it('are not got around by putting another channel in its place', async () => {
    expectError(await ada.api.patch(path(), { name: 'old' }), 403, 'not_authorized');
    expectError(await ada.api.delete(path()), 403, 'not_authorized');
    expectError(await ada.api.delete(`${app.path}/channels?name=PRODUCTION`), 403, 'not_authorized');
    expect((await ada.api.patch(path(), { name: 'Production' })).status).toBe(200);
    expect((await bob.api.delete(path())).status).toBe(204);
    const { id } = await createChannel(app);
    expect((await ada.api.delete(`${app.path}/channels/${id}`)).status).toBe(204);
  });

  it('require no approvals any more when they are cleared with null', async () => {
    expectError(await ada.api.patch(path(), { requiredApprovals: null }), 403, 'not_authorized');
    expect((await bob.api.patch(path(), { requiredApprovals: null })).body).toMatchObject({
      requiredApprovals: 0,
    });
    const values = { name: 'free', requiredApprovals: null };
    expect((await bob.api.post(`${app.path}/channels`, values)).body).toMatchObject({ requiredApprovals: 0 });
  });

  it.each([-1, 6, 1.5, '2', [], true])('do not require %j approvals', async (requiredApprovals) => {
    expectInvalid(await app.api.patch(path(), { requiredApprovals }), 'requiredApprovals');
  });
});
