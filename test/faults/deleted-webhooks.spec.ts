import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { createWebhook, type TestWebhook } from '../builders/webhook.js';
import { recordEvents } from '../support/events/events.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { behaviours, WebhookReceiver } from '../support/notifications/webhook-receiver.js';
import { OwnSite } from '../support/servers/own-site.js';
import { uniqueName } from '../support/unique-name.js';

let receiver: WebhookReceiver;
let site: OwnSite;
let tenant: Tenant;
let app: TestApp;
/** In a transaction. */
let other: pg.Client;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  site = await OwnSite.start();
});
beforeEach(async () => {
  tenant = await createTenant(site);
  app = await createApp(tenant);
  other = new pg.Client({ connectionString: site.databaseUrl });
  await other.connect();
  await other.query('BEGIN');
});
afterEach(() => other.end());
afterAll(async () => {
  await site.dispose();
  await receiver.stop();
});

function happen(): Promise<void> {
  return recordEvents(site, [{ organizationId: tenant.organizationId, appId: app.id }]);
}

/** Waits until so many statements of servers that begin like this wait for the other transaction. */
async function waiting(statement: string, count = 1): Promise<void> {
  await eventually(async () => {
    const found = await site.query(
      `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${statement}%`],
    );
    expect(found).toHaveLength(count);
  });
}

/** A webhook with a delivery that waits for a retry. */
async function failing(): Promise<{ webhook: TestWebhook; name: string }> {
  const name = uniqueName('failing');
  const webhook = await createWebhook(app, { url: receiver.url(name, behaviours.status(503)) });
  await happen();
  await eventually(() => expect(receiver.of(name)).toHaveLength(1));
  return { webhook, name };
}

/** Holds a delivery of a webhook, as if its deletion took long. */
function holdDelivery(webhook: TestWebhook): Promise<unknown> {
  return other.query('SELECT FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1 FOR UPDATE', [webhook.id]);
}

it('delivers to others while the deliveries of a webhook are deleted', async () => {
  const { webhook } = await failing();
  const name = uniqueName('receiver');
  await createWebhook(app, { url: receiver.url(name) });
  await holdDelivery(webhook);
  const deleted = new Api(site.origin, app.api.token).delete(webhook.path);
  await waiting('DELETE FROM%webhook');
  await happen();
  await eventually(() => expect(receiver.of(name)).toHaveLength(1));
  await other.query('ROLLBACK');
  expect((await deleted).status).toBe(204);
  expect(await site.query('SELECT FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id])).toEqual([]);
});

it('gives others an event for which a webhook was deleted at the same moment', async () => {
  const webhook = await createWebhook(app, { url: receiver.url(uniqueName('deleted')) });
  const name = uniqueName('receiver');
  await createWebhook(app, { url: receiver.url(name) });
  await other.query('DELETE FROM webhooks WHERE id = $1', [webhook.id]);
  await happen();
  await waiting('webhook');
  await other.query('COMMIT');
  await eventually(() => expect(receiver.of(name)).toHaveLength(1));
  expect(site.server.log.filter((line) => line.includes('could not be dispatched'))).toEqual([]);
});

it('finds no webhook that is deleted while its events are requested again', async () => {
  const { webhook } = await failing();
  await happen();
  await eventually(async () => {
    // The recovery makes a new delivery for the second event.
    const second = await site.query(
      'DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND attempts = $2 RETURNING id',
      [webhook.id, '[]'],
    );
    expect(second).toHaveLength(1);
  });
  const [delivery] = await site.query<{ id: string }>(
    `UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1 RETURNING id`,
    [webhook.id],
  );
  const api = new Api(site.origin, app.api.token);
  await holdDelivery(webhook);
  const deleted = api.delete(webhook.path);
  await waiting('DELETE FROM%webhook');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const requests = Promise.all([
    api.post(`${webhook.path}/recover`, { since }),
    api.post(`${webhook.path}/deliveries/${delivery?.id}/redeliver`),
    api.post(`${webhook.path}/test`),
  ]);
  await eventually(async () => {
    const [row] = await site.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(row?.count).toBeGreaterThanOrEqual(4);
  });
  await other.query('ROLLBACK');
  expect((await deleted).status).toBe(204);
  expect((await requests).map(({ status }) => status)).toEqual([404, 404, 404]);
});

it('sends what happens after a webhook was enabled, although a run still gives up what was pending', async () => {
  const { webhook, name } = await failing();
  await site.query('UPDATE webhooks SET enabled = false WHERE id = $1', [webhook.id]);
  await holdDelivery(webhook);
  // The retry finds the webhook disabled.
  await waiting('UPDATE webhook_deliveries');
  receiver.change(name, behaviours.ok);
  await new Api(site.origin, app.api.token).patch(webhook.path, { enabled: true });
  await happen();
  await eventually(async () => {
    const rows = await site.query('SELECT FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]);
    expect(rows).toHaveLength(2);
  });
  await other.query('ROLLBACK');
  await eventually(() => expect(receiver.of(name)).toHaveLength(2));
});
