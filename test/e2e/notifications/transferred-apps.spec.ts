import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createWebhook } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { recordEvents } from '../../support/events/events.js';
import { behaviours, WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { uniqueName } from '../../support/unique-name.js';

let receiver: WebhookReceiver;
let source: Tenant;
let target: Tenant;
let app: TestApp;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(async () => {
  source = await createTenant();
  target = await createTenant();
  app = await createApp(source);
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'admin')`,
    [target.organizationId, source.owner.userId],
  );
});
afterAll(() => receiver.stop());

/** An event of the app in the organization that it leaves. */
function happen(): Promise<void> {
  return recordEvents(testEnvironment(), [{ organizationId: source.organizationId, appId: app.id }]);
}

async function transfer(): Promise<void> {
  const { organizationId } = target;
  expect((await app.api.post(`${app.path}/transfer`, { organizationId })).status).toBe(200);
}

it.each([true, false])(
  'shows members of the new organization no deliveries of the former one, enabled %s',
  async (enabled) => {
    const name = uniqueName('receiver');
    const webhook = await createWebhook(app, { url: receiver.url(name) });
    await happen();
    await eventually(() => expect(receiver.of(name)).toHaveLength(1));
    await app.api.patch(webhook.path, { enabled });
    const [delivery] = (await app.api.get(`${webhook.path}/deliveries`)).body as { id: string }[];
    await transfer();
    const { api } = target.owner;
    expect((await api.get(`${webhook.path}/deliveries`)).body).toEqual([]);
    expect((await api.get(`${webhook.path}/deliveries/${delivery?.id}`)).status).toBe(404);
    await api.patch(webhook.path, { enabled: true });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect((await api.post(`${webhook.path}/recover`, { since })).body).toMatchObject({ requested: 0 });
  },
);

it('does not send the new name of an app to the organization that it has left', async () => {
  const name = uniqueName('receiver');
  const organization = { path: `/v1/organizations/${source.organizationId}`, api: app.api };
  const url = receiver.url(name, behaviours.status(500));
  const webhook = await createWebhook(organization, { url, format: 'slack' });
  await happen();
  await eventually(() => expect(receiver.of(name).at(-1)?.body).toContain('paused: Shop'));
  await transfer();
  await target.owner.api.patch(app.path, { name: 'Confidential' });
  receiver.change(name, behaviours.ok);
  await app.api.post(`${webhook.path}/test`);
  await eventually(async () => {
    const { body } = await app.api.get(`${webhook.path}/deliveries?status=pending`);
    expect(body).toEqual([]);
  });
  expect(receiver.of(name).at(-1)?.body).toContain('Channel paused');
  expect(receiver.of(name).map(({ body }) => body.includes('Confidential'))).not.toContain(true);
});
