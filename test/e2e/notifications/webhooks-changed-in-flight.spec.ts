import type { ServerResponse } from 'node:http';
import { createApp, type TestApp } from '../../builders/app.js';
import { createWebhook, type TestWebhook } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { recordEvents } from '../../support/events/events.js';
import { WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { uniqueName } from '../../support/unique-name.js';

let receiver: WebhookReceiver;
let app: TestApp;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  app = await createApp();
});
afterAll(() => receiver.stop());

/** A webhook whose receiver does not respond yet, with an attempt that has begun. */
async function attempt(failures = 0): Promise<{ webhook: TestWebhook; response: ServerResponse }> {
  const responses: ServerResponse[] = [];
  const url = receiver.url(uniqueName('former'), (response) => responses.push(response));
  const webhook = await createWebhook(app, { url });
  await query(
    testEnvironment().databaseUrl,
    'INSERT INTO webhook_schedules (webhook_id, failures, unsuccessful_since) VALUES ($1, $2, now())',
    [webhook.id, failures],
  );
  await recordEvents(testEnvironment(), [
    { organizationId: app.tenant.organizationId, appId: app.id },
    { organizationId: app.tenant.organizationId, appId: app.id },
  ]);
  const [response] = await eventually(() => {
    expect(responses).toHaveLength(1);
    return responses;
  });
  return { webhook, response: response as ServerResponse };
}

it.each([500, 410, 404])(
  'sends the event to the new address of a webhook whose former receiver responds with %i afterwards',
  async (status) => {
    // The next wait would be a day.
    const { webhook, response } = await attempt(8);
    const name = uniqueName('receiver');
    const { body } = await app.api.patch(webhook.path, { url: receiver.url(name) });
    expect(body).toMatchObject({ enabled: true });
    response.writeHead(status).end();
    await eventually(() => expect(receiver.of(name)).toHaveLength(2));
    expect((await app.api.get(webhook.path)).body).toMatchObject({ enabled: true, disabledReason: null });
  },
);

it('waits for a receiver that does not work although the name of its webhook was changed', async () => {
  const { webhook, response } = await attempt(8);
  await app.api.patch(webhook.path, { name: uniqueName('renamed') });
  response.writeHead(500).end();
  const tomorrow = new Date(Date.now() + 20 * 3_600_000).toISOString();
  await eventually(async () => {
    const { body } = await app.api.get(`${webhook.path}/deliveries?status=pending`);
    const deliveries = body as { id: string; attemptCount: number }[];
    expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual([0, 1]);
    const shown = await app.api.get(`${webhook.path}/deliveries/${deliveries[1]?.id}`);
    expect((shown.body as { nextAttemptAt: string }).nextAttemptAt > tomorrow).toBe(true);
  });
});
