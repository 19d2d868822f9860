import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createMember, createTenant, type TestMember } from '../../builders/identities.js';
import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { recordEvents } from '../../support/events/events.js';
import { recordExpiringToken } from '../../support/notifications/noticed-events.js';
import { NoticeSite, PUBLIC_URL } from '../../support/notifications/notice-site.js';

let server: NoticeSite;
let app: TestApp;

beforeAll(async () => {
  server = await NoticeSite.start();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  app = await createApp(await createTenant(server.site));
});

const deployments = (): string => `${app.path}/deployments`;

describe('approvals', () => {
  let author: TestMember;
  let ada: TestMember;
  let bob: TestMember;
  let channelId: string;

  beforeEach(async () => {
    author = await createMember(app.tenant, 'member', server.site);
    ada = await createMember(app.tenant, 'member', server.site);
    bob = await createMember(app.tenant, 'admin', server.site);
    ({ id: channelId } = await createChannel(app, { name: 'production', requiredApprovals: 2 }));
  });

  const deploy = async (): Promise<string> => {
    const { buildId } = await registerBundle(app);
    const body = { appBuildId: buildId, appChannelId: channelId };
    return expectCreated<{ id: string }>(await server.as(author).post(deployments(), body)).id;
  };
  const approve = (who: TestMember, id: string) =>
    server.as(who).post(`${deployments()}/${id}/approvals`, { comment: 'Tested' });

  it('are requested from those who can give them, and reported to the requester', async () => {
    const viewer = await createMember(app.tenant, 'viewer', server.site);
    const id = await deploy();
    for (const person of [ada, bob, app.tenant.owner]) {
      const [mail] = await server.mailsTo(person, 1);
      expect(mail?.headers.get('subject')).toEqual(['Approval requested: Shop, production']);
      expect(mail?.text).toContain('Channel: production');
      expect(mail?.text).toContain(`By: ${author.email}`);
      // Where it is approved; the request stays below.
      expect(mail?.text).toContain(`${PUBLIC_URL}/apps/${app.id}/deployments/${id}`);
      expect(mail?.text).toContain(`"${PUBLIC_URL}/v1/apps/${app.id}/deployments/${id}"`);
    }
    await server.mailsTo(viewer, 0);
    await server.mailsTo(author, 0);

    expect((await approve(ada, id)).status).toBe(200);
    const [given] = await server.mailsTo(author, 1);
    expect(given?.headers.get('subject')).toEqual(['Approval given: Shop, production']);
    expect(given?.text).toContain(`By: ${ada.email}`);
    expect(given?.text).toContain('Comment: Tested');

    expect((await server.as(bob).post(`${deployments()}/${id}/reject`, { comment: 'Too late' })).status).toBe(
      200,
    );
    const [, rejected] = await server.mailsTo(author, 2);
    expect(rejected?.headers.get('subject')).toEqual(['Approval rejected: Shop, production']);
    expect(rejected?.text).toContain('Comment: Too late');
    for (const person of [ada, bob, app.tenant.owner]) await server.mailsTo(person, 1);
  });

  it('are not requested any more from those who have given them before the mail', async () => {
    await server.mailbox.stop();
    const id = await deploy();
    await server.failedMail(ada);
    await server.failedMail(bob);
    expect((await approve(ada, id)).status).toBe(200);
    await server.mailbox.resume();
    await server.retryNow();
    await server.mailsTo(bob, 1);
    await server.mailsTo(ada, 0);
  });

  it('are not requested any more when the deployment is rejected before the mail', async () => {
    await server.mailbox.stop();
    const id = await deploy();
    await server.failedMail(ada);
    expect((await server.as(author).post(`${deployments()}/${id}/reject`, {})).status).toBe(200);
    await server.mailbox.resume();
    await server.retryNow();
    await server.mailsTo(ada, 0);
  });

  it('are not mailed to users who have switched that off', async () => {
    await server.as(ada).patch('/v1/users/me/notices', { approvals: false });
    await deploy();
    await server.mailsTo(bob, 1);
    await server.mailsTo(ada, 0);
  });
});

describe('rollouts', () => {
  let deploymentId: string;
  let bundleId: string;

  beforeEach(async () => {
    await registerBundle(app);
    const bundle = await registerBundle(app, { rolloutPercentage: 0 });
    ({ id: bundleId } = bundle);
    deploymentId = bundle.deploymentId ?? '';
  });

  it('that the health gate holds wake those who want to know', async () => {
    const ada = await server.watcher(app.tenant, 'viewer');
    await server.watch(app.tenant.owner);
    const healthGate = { maxFailureShare: 0.1, minDevices: 3, confidence: 0.8 };
    const steps = [{ percentage: 0.999999, durationMinutes: 60 }, { percentage: 1 }];
    await putPlan(app, deploymentId, { healthGate, steps }, 'start');
    for (let device = 0; device < 6; device++) await rollBack(app, randomUUID(), bundleId);
    await passStep(deploymentId, server.site);
    for (const person of [ada, app.tenant.owner]) {
      const [mail] = await server.mailsTo(person, 1);
      expect(mail?.headers.get('subject')).toEqual(['Rollout held: Shop, default']);
      expect(mail?.text).toContain('Rolled back: 6 of 6 devices');
      expect(mail?.text).toContain('Reason: More devices rolled back than the health gate accepts');
      expect(mail?.text).not.toContain('By:');
    }
  });

  it('that a person aborts are mailed to the others', async () => {
    const ada = await server.watcher(app.tenant);
    await server.watch(app.tenant.owner);
    await putPlan(app, deploymentId, {}, 'start', 'abort');
    const [mail] = await server.mailsTo(ada, 1);
    expect(mail?.headers.get('subject')).toEqual(['Rollout aborted: Shop, default']);
    await server.mailsTo(app.tenant.owner, 0);
  });

  it('that a newer deployment ends are no news', async () => {
    const ada = await server.watcher(app.tenant);
    await putPlan(app, deploymentId, {}, 'start');
    await registerBundle(app);
    const sql = `SELECT id FROM events WHERE object_id = $1 AND type = 'app_rollout_aborted'`;
    await server.eventuallyRows(sql, [deploymentId]);
    await server.mailsTo(ada, 0);
  });
});

it('mails the user of an API token that expires, once for all organizations', async () => {
  const ada = await server.watcher(app.tenant);
  await server.watch(app.tenant.owner);
  const other = await createTenant(server.site);
  await server.site.query(
    `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'viewer')`,
    [other.organizationId, ada.userId],
  );
  const token = { tokenId: randomUUID(), userId: ada.userId };
  // The organizations are at different positions.
  const paused = await app.tenant.owner.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
  expect(paused.status).toBeLessThan(300);
  const expire = async (at?: Date): Promise<void> => {
    for (const { organizationId } of [other, app.tenant]) {
      await recordExpiringToken(server.site, organizationId, token, at);
      await server.settle();
    }
  };
  await expire(new Date(Date.now() - 3600_000));
  const [mail] = await server.mailsTo(ada, 1);
  expect(mail?.headers.get('subject')?.[0]).toMatch(/^API token expires: Tenant /);
  expect(mail?.text).toContain(`"${PUBLIC_URL}/v1/tokens/${token.tokenId}"`);
  await expire();
  const [, next] = await server.mailsTo(ada, 2);
  expect(next?.text).not.toMatch(/earlier event/);
  await server.mailsTo(app.tenant.owner, 0);
});

it('mails administrators about a webhook whose receiver does not work', async () => {
  const admin = await createMember(app.tenant, 'admin', server.site);
  const webhookId = randomUUID();
  const failingSince = '2026-12-01T10:00:00.000Z';
  const data = { webhookId, webhookName: 'Chat', appId: null, failingSince };
  const { organizationId } = app.tenant;
  await recordEvents(server.site, [{ organizationId, type: 'webhook_failing', objectId: webhookId, data }]);
  const [mail] = await server.mailsTo(admin, 1);
  expect(mail?.headers.get('subject')?.[0]).toMatch(/^Webhook failing: Tenant /);
  expect(mail?.text).toContain(`Failing since: ${failingSince}`);
  expect(mail?.text).toContain(`"${PUBLIC_URL}/v1/organizations/${organizationId}/webhooks/${webhookId}"`);
});

it('mails administrators about a webhook that was disabled, unless they have switched that off', async () => {
  const [admin, member] = [
    await createMember(app.tenant, 'admin', server.site),
    await server.watcher(app.tenant, 'member'),
  ];
  await server.as(app.tenant.owner).patch('/v1/users/me/notices', { webhooks: false });
  const webhookId = randomUUID();
  const data = { webhookId, webhookName: 'Chat', appId: app.id, reason: 'gone' };
  const { organizationId } = app.tenant;
  await recordEvents(server.site, [{ organizationId, type: 'webhook_disabled', objectId: webhookId, data }]);
  const [mail] = await server.mailsTo(admin, 1);
  expect(mail?.headers.get('subject')?.[0]).toMatch(/^Webhook disabled: Tenant /);
  expect(mail?.text).toContain('Reason: The receiver responded with HTTP 410.');
  expect(mail?.text).toContain(`"${PUBLIC_URL}/v1/apps/${app.id}/webhooks/${webhookId}"`);
  await server.mailsTo(member, 0);
  await server.mailsTo(app.tenant.owner, 0);
});
