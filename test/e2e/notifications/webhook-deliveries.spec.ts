import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createWebhook, type TestWebhook } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { behaviours, WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { uniqueName } from '../../support/unique-name.js';

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly reason: string | null;
  readonly attemptCount: number;
  readonly lastStatus: number | null;
}

let receiver: WebhookReceiver;
let app: TestApp;
let channel: TestChannel;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(async () => {
  app = await createApp();
  channel = await createChannel(app);
});
afterAll(() => receiver.stop());

/** Two events. */
async function pauseAndResume(): Promise<void> {
  await app.api.post(`${app.path}/channels/${channel.id}/pause`);
  await app.api.post(`${app.path}/channels/${channel.id}/resume`);
}

async function list(webhook: TestWebhook, filter = ''): Promise<Delivery[]> {
  const { body } = await app.api.get(`${webhook.path}/deliveries${filter}`);
  return body as Delivery[];
}

/** Waits until all deliveries of a webhook have this status. */
function settled(webhook: TestWebhook, count: number, status = 'succeeded'): Promise<Delivery[]> {
  return eventually(async () => {
    const deliveries = await list(webhook);
    expect(deliveries.map((delivery) => delivery.status)).toEqual(
      Array.from({ length: count }, () => status),
    );
    return deliveries;
  });
}

it('sends events in their order, signed as Standard Webhooks and the contract say', async () => {
  const name = uniqueName('receiver');
  const secret = 'a secret of a person';
  const webhook = await createWebhook(app, {
    url: receiver.url(name),
    events: ['app_channel_paused', 'app_channel_resumed'],
    signingSecret: secret,
    headers: { 'X-Team': 'mobile' },
  });
  await pauseAndResume();
  const deliveries = await settled(webhook, 2);
  const requests = receiver.of(name);
  expect(requests.map(({ headers }) => headers['x-capawesome-event'])).toEqual([
    'app_channel_paused',
    'app_channel_resumed',
  ]);
  for (const [index, { headers, body }] of requests.entries()) {
    const delivery = deliveries[1 - index];
    const verifier = new StandardWebhook(secret, { format: 'raw' });
    expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({
      event: delivery?.eventType,
      id: delivery?.eventId,
      appId: app.id,
      data: { appChannelId: channel.id },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Slipway-Webhooks\/\d/) as string,
      'webhook-id': delivery?.eventId,
      'x-capawesome-delivery': delivery?.id,
      'x-capawesome-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'x-team': 'mobile',
    });
  }
  const shown = await app.api.get(`${webhook.path}/deliveries/${deliveries[0]?.id}`);
  expect(shown.body).toMatchObject({
    status: 'succeeded',
    nextAttemptAt: null,
    responseBody: 'ok',
    attempts: [{ status: 200, error: null }],
    payload: JSON.parse(requests[1]?.body ?? '') as object,
  });
});

it('plans no run when nothing is pending', async () => {
  const webhook = await createWebhook(app, { url: receiver.url(uniqueName('receiver')) });
  await pauseAndResume();
  await settled(webhook, 2);
  const sql = 'SELECT due_at AS "dueAt", wakes FROM webhook_schedules WHERE webhook_id = $1';
  await eventually(async () => {
    expect(await query(testEnvironment().databaseUrl, sql, [webhook.id])).toEqual([
      { dueAt: null, wakes: false },
    ]);
  });
});

it('signs with both secrets after a rotation', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name), signingSecret: 'the former secret' });
  const { body } = await app.api.post(`${webhook.path}/rotate-secret`);
  await app.api.post(`${webhook.path}/test`);
  const [request] = await eventually(() => {
    expect(receiver.of(name)).toHaveLength(1);
    return receiver.of(name);
  });
  const headers = request?.headers as Record<string, string>;
  const current = new StandardWebhook((body as { signingSecret: string }).signingSecret);
  const former = new StandardWebhook('the former secret', { format: 'raw' });
  for (const verifier of [current, former]) {
    expect(verifier.verify(request?.body ?? '', headers)).toMatchObject({
      event: 'webhook_test',
      data: { webhookId: webhook.id },
    });
  }
});

it('sends chats no headers that they do not know', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name), format: 'slack' });
  await app.api.post(`${webhook.path}/test`);
  await settled(webhook, 1);
  const [request] = receiver.of(name);
  const known = Object.keys(request?.headers ?? {}).filter((header) => /webhook|capawesome/i.test(header));
  expect(known).toEqual([]);
  expect(JSON.parse(request?.body ?? '')).toHaveProperty('text');
});

it('fails a delivery that the receiver rejects, and sends the next one', async () => {
  const name = uniqueName('receiver');
  const url = receiver.url(name, (response, { headers }) => {
    const status = headers['x-capawesome-event'] === 'app_channel_paused' ? 422 : 200;
    response.writeHead(status).end('no');
  });
  const webhook = await createWebhook(app, { url, events: ['app_channel_paused', 'app_channel_resumed'] });
  await pauseAndResume();
  const [second, first] = await eventually(async () => {
    const deliveries = await list(webhook);
    expect(deliveries.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    return deliveries;
  });
  expect(first).toMatchObject({
    attemptCount: 1,
    lastStatus: 422,
    reason: 'The receiver rejected the event with HTTP 422.',
  });
  expect(await list(webhook, '?status=failed')).toEqual([first]);
  expect(await list(webhook, '?event=app_channel_resumed')).toEqual([second]);
  expect(await list(webhook, '?from=2090-01-01')).toEqual([]);
  expect(await list(webhook, '?to=2020-01-01')).toEqual([]);

  receiver.change(name, behaviours.ok);
  const again = await app.api.post(`${webhook.path}/deliveries/${first?.id}/redeliver`);
  expect(again.status).toBe(200);
  await settled(webhook, 2);
  expect(receiver.idsOf(name)).toEqual([first?.eventId, second?.eventId, first?.eventId]);
});

it('follows no redirects', async () => {
  const target = uniqueName('target');
  const name = uniqueName('receiver');
  const url = receiver.url(name, behaviours.redirect(receiver.url(target)));
  const webhook = await createWebhook(app, { url });
  await app.api.post(`${webhook.path}/test`);
  await eventually(async () => {
    const [delivery] = await list(webhook);
    const { body } = await app.api.get(`${webhook.path}/deliveries/${delivery?.id}`);
    const error = 'The receiver redirects with HTTP 302. Redirects are not followed: set the final address.';
    expect(body).toMatchObject({ status: 'pending', attempts: [{ status: 302, error }] });
  });
  expect(receiver.of(target)).toEqual([]);
});

it('sends one delivery at a time to a receiver that does not work, and the rest once it does', async () => {
  const name = uniqueName('receiver');
  const url = receiver.url(name, behaviours.status(503));
  const webhook = await createWebhook(app, { url, events: ['app_channel_paused', 'app_channel_resumed'] });
  await pauseAndResume();
  const waiting = await eventually(async () => {
    const deliveries = await list(webhook);
    expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual([0, 1]);
    return deliveries;
  });
  expect(waiting.map(({ status }) => status)).toEqual(['pending', 'pending']);
  const { body } = await app.api.get(`${webhook.path}/deliveries/${waiting[1]?.id}`);
  expect(body).toMatchObject({
    nextAttemptAt: expect.any(String) as string,
    attempts: [{ status: 503, error: 'The receiver responded with HTTP 503.' }],
  });
  const refused = await app.api.post(`${webhook.path}/deliveries/${waiting[0]?.id}/redeliver`);
  expect(expectError(refused, 409, 'webhook_delivery_waits').message).toBe(
    `The delivery waits for an earlier one of its object: ${waiting[1]?.id}. Redeliver or skip that first.`,
  );

  receiver.change(name, behaviours.ok);
  // A test does not wait for the next attempt, and shows that the receiver works again.
  await app.api.post(`${webhook.path}/test`);
  await settled(webhook, 3);
});

it('tries another address at once', async () => {
  const [broken, working] = [uniqueName('receiver'), uniqueName('receiver')];
  const url = receiver.url(broken, behaviours.status(503, { 'retry-after': '3600' }));
  const webhook = await createWebhook(app, { url, events: ['app_channel_paused', 'app_channel_resumed'] });
  await pauseAndResume();
  await eventually(async () => expect((await list(webhook))[1]?.attemptCount).toBe(1));
  await app.api.patch(webhook.path, { url: receiver.url(working) });
  const [second, first] = await settled(webhook, 2);
  expect(receiver.idsOf(working)).toEqual([first?.eventId, second?.eventId]);
});

it('disables a webhook whose receiver is gone', async () => {
  const name = uniqueName('receiver');
  const held: ServerResponse[] = [];
  const webhook = await createWebhook(app, { url: receiver.url(name, (response) => held.push(response)) });
  await pauseAndResume();
  await eventually(async () => {
    expect(held).toHaveLength(1);
    expect(await list(webhook)).toHaveLength(2);
  });
  held[0]?.writeHead(410).end();
  const deliveries = await settled(webhook, 2, 'failed');
  expect(deliveries.map(({ reason }) => reason)).toEqual([
    'The webhook was disabled: its receiver responded with HTTP 410.',
    'The receiver responded with HTTP 410: it wants no more events.',
  ]);
  expect((await app.api.get(webhook.path)).body).toMatchObject({ enabled: false, disabledReason: 'gone' });
  for (const action of ['test', `deliveries/${deliveries[0]?.id}/redeliver`]) {
    const refused = await app.api.post(`${webhook.path}/${action}`);
    expect(expectError(refused, 409, 'webhook_disabled').message).toBe(
      'The webhook is disabled. Enable it first.',
    );
  }
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const refused = await app.api.post(`${webhook.path}/recover`, { since });
  expect(expectError(refused, 409, 'webhook_disabled').message).toBe(
    'The webhook is disabled. Enable it first.',
  );
  const events = await query(
    testEnvironment().databaseUrl,
    'SELECT type, data FROM events WHERE object_id = $1',
    [webhook.id],
  );
  expect(events).toEqual([
    {
      type: 'webhook_disabled',
      data: { webhookId: webhook.id, webhookName: webhook.name, appId: app.id, reason: 'gone' },
    },
  ]);

  receiver.change(name, behaviours.ok);
  await app.api.patch(webhook.path, { enabled: true });
  expect((await app.api.post(`${webhook.path}/recover`, { since })).body).toEqual({
    requested: 2,
    continueFrom: null,
  });
  await settled(webhook, 2);
  expect((await app.api.post(`${webhook.path}/recover`, { since })).body).toMatchObject({ requested: 0 });
});

it('gives up what is pending when a user disables the webhook', async () => {
  const webhook = await createWebhook(app, {
    url: receiver.url(uniqueName('receiver'), behaviours.status(500)),
  });
  await pauseAndResume();
  await eventually(async () => expect(await list(webhook)).toHaveLength(2));
  await app.api.patch(webhook.path, { enabled: false });
  const [delivery] = await settled(webhook, 2, 'failed');
  expect(delivery?.reason).toBe('A user disabled the webhook before the event was sent.');
});

it('recovers only events that are kept', async () => {
  const webhook = await createWebhook(app);
  const since = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
  const refused = await app.api.post(`${webhook.path}/recover`, { since });
  expect(expectError(refused, 400, 'invalid_fields').message).toBe(
    'since must be within the last 30 days: older events are deleted.',
  );
});

it('limits tests', async () => {
  const webhook = await createWebhook(app, { url: receiver.url(uniqueName('receiver')) });
  const tests = await Promise.all(Array.from({ length: 14 }, () => app.api.post(`${webhook.path}/test`)));
  const statuses = tests.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(10);
  const refused = await app.api.post(`${webhook.path}/test`);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
});

it('gives webhooks of organizations the events of all their apps', async () => {
  const { organizationId } = app.tenant;
  const name = uniqueName('receiver');
  const organization = { path: `/v1/organizations/${organizationId}`, api: app.api };
  const webhook = await createWebhook(organization, {
    url: receiver.url(name),
    events: ['app_channel_paused'],
  });
  const other = await createApp(app.tenant);
  const otherChannel = await createChannel(other);
  await pauseAndResume();
  await app.api.post(`${other.path}/channels/${otherChannel.id}/pause`);
  await settled(webhook, 2);
  const bodies = receiver.of(name).map(({ body }) => JSON.parse(body) as { appId: string; position: number });
  expect(bodies.map(({ appId }) => appId)).toEqual([app.id, other.id]);
  expect(bodies[1]?.position).toBeGreaterThan(bodies[0]?.position ?? 0);
});
