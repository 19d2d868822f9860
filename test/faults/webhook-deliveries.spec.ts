import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { createWebhook, type TestWebhook } from '../builders/webhook.js';
import type { ServerProcess } from '../setup/server.js';
import { recordEvents } from '../support/events/events.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { type Behaviour, behaviours, WebhookReceiver } from '../support/notifications/webhook-receiver.js';
import { passTime, untilRun } from '../support/notifications/webhook-clock.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';
import { uniqueName } from '../support/unique-name.js';

let receiver: WebhookReceiver;
let site: OwnSite;
let second: ServerProcess;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  site = await OwnSite.start();
  second = await OwnSite.beside(site);
});
beforeEach(async () => {
  await site.resume();
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(async () => {
  await second.kill();
  await site.dispose();
  await receiver.stop();
});

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly eventId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

/** In the order of the events. */
function deliveriesOf(webhook: TestWebhook): Promise<Row[]> {
  return site.query<Row>(
    `SELECT id, event_id AS "eventId", status, reason, attempts FROM webhook_deliveries
     WHERE webhook_id = $1 ORDER BY position`,
    [webhook.id],
  );
}

/** Events of the app, which its webhooks get. */
function happen(count: number): Promise<void> {
  const event = { organizationId: tenant.organizationId, appId: app.id };
  return recordEvents(
    site,
    Array.from({ length: count }, () => event),
  );
}

/** Waits until so many attempts at the deliveries of a webhook were written. */
async function attempted(webhook: TestWebhook, count: number): Promise<Row[]> {
  return eventually(async () => {
    const rows = await deliveriesOf(webhook);
    expect(rows.flatMap(({ attempts }) => attempts)).toHaveLength(count);
    return rows;
  });
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Lets time pass until the next run of a webhook. @returns how much, in milliseconds */
async function untilNext(webhook: TestWebhook): Promise<number> {
  const wait = await eventually(async () => {
    const found = await untilRun(site.databaseUrl, webhook.id);
    expect(found).toBeGreaterThan(0);
    return found as number;
  });
  const onlyReports = await isEarly(webhook);
  await passTime(site.databaseUrl, webhook.id, wait);
  if (!onlyReports) return wait;
  await eventually(async () => expect(await isEarly(webhook)).toBe(false));
  return wait + (await untilNext(webhook));
}

/** Whether the next run comes before the end of the rest, to report that the receiver fails. */
async function isEarly(webhook: TestWebhook): Promise<boolean> {
  const rows = await site.query(
    'SELECT FROM webhook_schedules WHERE webhook_id = $1 AND early_at = due_at AND rests_until > due_at',
    [webhook.id],
  );
  return rows.length > 0;
}

async function settle(webhook: TestWebhook, count: number): Promise<Row[]> {
  return eventually(async () => {
    const rows = await deliveriesOf(webhook);
    expect(rows.filter(({ status }) => status !== 'pending')).toHaveLength(count);
    return rows;
  });
}

describe('a receiver that', () => {
  it.each<[string, Behaviour | string, string]>([
    ['resets the connection', behaviours.reset, '127.0.0.1 closed the connection too early.'],
    ['speaks another protocol', behaviours.garbage, '127.0.0.1 does not send a valid HTTP response.'],
    ['never responds', behaviours.silent, '127.0.0.1 did not respond completely in time.'],
    ['never ends its response', behaviours.drip, '127.0.0.1 did not respond completely in time.'],
    ['responds with 500', behaviours.status(500), 'The receiver responded with HTTP 500.'],
    ['limits calls', behaviours.status(429), 'The receiver responded with HTTP 429.'],
    ['is not there', 'http://127.0.0.1:9/', '127.0.0.1 refuses the connection.'],
  ])('%s gets one delivery at a time', async (_what, behaviour, error) => {
    const name = uniqueName('receiver');
    const url = typeof behaviour === 'string' ? behaviour : receiver.url(name, behaviour);
    const webhook = await createWebhook(app, { url });
    await happen(3);
    const rows = await attempted(webhook, 1);
    expect(rows[0]?.attempts[0]?.error).toBe(error);
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    expect(rows.map(({ attempts }) => attempts.length)).toEqual([1, 0, 0]);
  });

  it('floods its response has what it has taken', async () => {
    const webhook = await createWebhook(app, { url: receiver.url(uniqueName('receiver'), behaviours.flood) });
    await happen(2);
    const rows = await settle(webhook, 2);
    expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  it('asks to wait is not called before', async () => {
    const name = uniqueName('receiver');
    const webhook = await createWebhook(app, {
      url: receiver.url(name, behaviours.status(429, { 'retry-after': '3600' })),
    });
    await happen(1);
    await attempted(webhook, 1);
    await passTime(site.databaseUrl, webhook.id, 50 * MINUTE);
    await sleep(3000);
    expect(receiver.of(name)).toHaveLength(1);
    receiver.change(name, behaviours.ok);
    await passTime(site.databaseUrl, webhook.id, 10 * MINUTE);
    expect((await settle(webhook, 1))[0]?.status).toBe('succeeded');
  });

  it('was allowed before is checked again, and not called', async () => {
    const webhook = await createWebhook(app, { url: receiver.url(uniqueName('receiver')) });
    await site.restart({ OUTBOUND_ALLOW: 'git=127.0.0.1' });
    await second.kill();
    await happen(1);
    const rows = await attempted(webhook, 1);
    expect(rows[0]?.attempts[0]?.error).toBe(
      '127.0.0.1 is not a public address. An operator of this server can allow it: add webhook=127.0.0.1 to OUTBOUND_ALLOW.',
    );
    await site.restart();
    second = await OwnSite.beside(site);
  });
});

it('gives up a delivery after three days, then tries the next one, and gives up the webhook after five days', async () => {
  const webhook = await createWebhook(app, {
    url: receiver.url(uniqueName('receiver'), behaviours.status(503)),
    ordering: 'strict',
  });
  await happen(3);
  let passed = 0;
  // The seconds that the test itself takes count, too.
  for (let attempt = 1; passed < 3 * DAY - 60_000; attempt++) {
    await attempted(webhook, attempt);
    passed += await untilNext(webhook);
  }
  expect(Math.round(passed / 60_000)).toBe(3 * 24 * 60);
  // The next one was tried at once then.
  const rows = await eventually(async () => {
    const found = await deliveriesOf(webhook);
    expect(found[1]?.attempts).toHaveLength(1);
    return found;
  });
  const attempts = rows[0]?.attempts.length ?? 0;
  expect(attempts).toBeGreaterThan(8);
  expect(attempts).toBeLessThan(13);
  expect(rows[0]).toMatchObject({
    status: 'failed',
    reason: `Given up after three days and ${attempts} attempts. The receiver responded with HTTP 503.`,
  });
  for (let next = 1; passed < 5 * DAY; next++) {
    await attempted(webhook, attempts + next);
    passed += await untilNext(webhook);
  }
  const settled = await settle(webhook, 3);
  expect(settled.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  expect(settled[2]?.reason).toBe('The webhook was disabled: nothing was delivered for five days.');
  const { body } = await new Api(site.origin, app.api.token).get(webhook.path);
  expect(body).toMatchObject({ enabled: false, disabledReason: 'failing' });
});

it('gives a receiver that was down for a day everything once', async () => {
  const name = uniqueName('receiver');
  // It has accepted nothing before, so it may not want these.
  const webhook = await createWebhook(app, { url: receiver.url(name, behaviours.status(400)) });
  await happen(60);
  const rows = await settle(webhook, 60);
  const [{ since } = { since: null }] = await site.query<{ since: Date }>(
    'SELECT created_at AS since FROM events WHERE id = $1',
    [rows[0]?.eventId],
  );
  receiver.change(name, behaviours.ok);
  const api = new Api(site.origin, app.api.token);
  const { body } = await api.post(`${webhook.path}/recover`, { since });
  expect(body).toEqual({ requested: 60, continueFrom: null });
  await eventually(async () => {
    const after = await deliveriesOf(webhook);
    expect(after.filter(({ status }) => status === 'succeeded')).toHaveLength(60);
  });
  expect(receiver.idsOf(name).slice(60)).toEqual(rows.map(({ eventId }) => eventId));
});

it('recovers an event that happened early, and was committed late, also in parts', async () => {
  const url = receiver.url(uniqueName('receiver'), behaviours.status(503));
  const webhook = await createWebhook(app, { url, events: ['app_channel_resumed'] });
  await site.query(`UPDATE webhooks SET created_at = now() - interval '2 days' WHERE id = $1`, [webhook.id]);
  // Two more than one request recovers. They have positions: nothing follows them.
  await site.query(
    `WITH added AS (
       INSERT INTO events (id, type, object_id, data, organization_id, app_id, position, created_at)
       SELECT gen_random_uuid(), 'app_channel_resumed', $1, '{}', $1, $2, 1000 + n,
              now() - CASE n WHEN 20002 THEN interval '1 day' ELSE interval '1 minute' END
         FROM generate_series(1, 20002) AS n
     )
     UPDATE event_positions SET position = 21002 WHERE organization_id = $1`,
    [tenant.organizationId, app.id],
  );
  const api = new Api(site.origin, app.api.token);
  const since = new Date(Date.now() - 30 * 3_600_000).toISOString();
  const { body } = await api.post(`${webhook.path}/recover`, { since });
  const { continueFrom } = body as { continueFrom: string };
  expect(body).toEqual({ requested: 20_000, continueFrom: expect.any(String) as string });
  // The receiver, which does not work, was called once for all of them.
  const [first] = await attempted(webhook, 1);
  expect(first).toMatchObject({ status: 'pending' });
  const rest = await api.post(`${webhook.path}/recover`, { since: continueFrom });
  expect(rest.body).toEqual({ requested: 2, continueFrom: null });
});

it('gives up very many deliveries of a disabled webhook in parts', async () => {
  const webhook = await createWebhook(app, {
    url: receiver.url(uniqueName('receiver'), behaviours.status(503)),
  });
  await happen(1);
  await attempted(webhook, 1);
  await site.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, position, status)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 'app_channel_paused', 1000 + n, 'pending'
       FROM generate_series(1, 25000) AS n`,
    [webhook.id],
  );
  await new Api(site.origin, app.api.token).patch(webhook.path, { enabled: false });
  await eventually(async () => {
    const counts = await site.query(
      'SELECT status, count(*)::int AS count FROM webhook_deliveries WHERE webhook_id = $1 GROUP BY status',
      [webhook.id],
    );
    expect(counts).toEqual([{ status: 'failed', count: 25_001 }]);
  });
});

it('keeps deliveries of a webhook whose encryption key is gone, and says why they wait', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name, behaviours.ok) });
  const [sealed] = await site.query<{ url: string }>(
    `UPDATE webhooks SET sealed_url = 'v1.00000000.AAAA' FROM webhooks AS before
      WHERE webhooks.id = $1 AND before.id = webhooks.id RETURNING before.sealed_url AS url`,
    [webhook.id],
  );
  await happen(1);
  const [row] = await attempted(webhook, 1);
  expect(row).toMatchObject({ status: 'pending', attempts: [{ status: null }] });
  expect(row?.attempts[0]?.error).toContain('could not decrypt');
  await site.query('UPDATE webhooks SET sealed_url = $2 WHERE id = $1', [webhook.id, sealed?.url]);
  await settle(webhook, 1);
  expect(receiver.of(name)).toHaveLength(1);
});

it('plans again what the queue has lost', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name, behaviours.status(503)) });
  await happen(1);
  await eventually(() => expect(receiver.of(name)).toHaveLength(1));
  receiver.change(name, behaviours.ok);
  await eventually(async () => {
    const deleted = await site.query(
      `DELETE FROM queue.job WHERE data ->> 'webhookId' = $1 AND state = 'created' RETURNING id`,
      [webhook.id],
    );
    expect(deleted).toHaveLength(1);
  });
  await passTime(site.databaseUrl, webhook.id, 120 * MINUTE);
  await runQueue(site, 'lost-webhook-deliveries');
  await settle(webhook, 1);
  expect(receiver.of(name)).toHaveLength(2);
});

it('delivers everything while servers are killed', async () => {
  const name = uniqueName('receiver');
  const url = receiver.url(name, (response) => setTimeout(() => response.end(), 20));
  const webhook = await createWebhook(app, { url });
  const happening = (async () => {
    for (let round = 0; round < 12; round++) {
      await happen(10);
      await sleep(300);
    }
  })();
  for (let kill = 0; kill < 3; kill++) {
    await sleep(1200);
    await (kill % 2 === 0 ? site.server : second).kill();
    if (kill % 2 === 0) await site.restart();
    else second = await OwnSite.beside(site);
  }
  await happening;
  const rows = await eventually(async () => {
    const found = await deliveriesOf(webhook);
    expect(found.filter(({ status }) => status === 'succeeded')).toHaveLength(120);
    return found;
  });
  // At least once each; those that were being sent when their server was killed may arrive twice.
  const ids = receiver.idsOf(name);
  expect(new Set(ids)).toEqual(new Set(rows.map(({ eventId }) => eventId)));
  expect(ids.length).toBeLessThanOrEqual(120 + 3);
});

it('goes on to deliver until its last request has ended when it stops', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name) });
  await second.kill();
  await site.restart({ SHUTDOWN_DELAY_SECONDS: '6' });
  await happen(90);
  await eventually(() => expect(receiver.of(name).length).toBeGreaterThan(0));
  const stopped = site.server.stop();
  await eventually(async () => expect((await fetch(`${site.origin}/health/ready`)).status).toBe(503));
  const before = receiver.of(name).length;
  await stopped;
  expect(receiver.of(name).length).toBeGreaterThan(before + 1);
  // Not one run after the other that sends nothing.
  const runs = await site.query(`SELECT FROM queue.job WHERE data ->> 'webhookId' = $1`, [webhook.id]);
  expect(runs.length).toBeLessThan(20);
  await site.restart();
  await settle(webhook, 90);
  second = await OwnSite.beside(site);
});

/** Webhooks of the organization, which get the event of a lost runner. */
function createWebhooks(
  count: number,
  name: string,
  behaviour: (index: number) => Behaviour,
): Promise<TestWebhook[]> {
  const organization = { path: `/v1/organizations/${tenant.organizationId}`, api: tenant.owner.api };
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      createWebhook(organization, {
        url: receiver.url(`${name}-${index}`, behaviour(index)),
        events: ['runner_lost'],
      }),
    ),
  );
}

it('gives each receiver that works everything in its order while others of its organization misbehave', async () => {
  const bad = [behaviours.silent, behaviours.status(503), behaviours.reset, behaviours.drip];
  const name = uniqueName('receiver');
  const webhooks = await createWebhooks(24, name, (index) => bad[index] ?? behaviours.ok);
  const event = { organizationId: tenant.organizationId, type: 'runner_lost' };
  await recordEvents(
    site,
    Array.from({ length: 60 }, () => event),
  );
  const working = webhooks.slice(bad.length);
  for (const [index, webhook] of working.entries()) {
    const rows = await settle(webhook, 60);
    const got = receiver.idsOf(`${name}-${index + bad.length}`);
    expect(got).toEqual(rows.map(({ eventId }) => eventId));
  }
  for (const webhook of webhooks.slice(0, bad.length)) {
    const rows = await deliveriesOf(webhook);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(60);
    expect(rows.slice(1).flatMap(({ attempts }) => attempts)).toEqual([]);
  }
});

it('delivers for one organization while receivers of another one hold all that it may have', async () => {
  await second.kill();
  // More than the server has workers.
  const hanging = await createWebhooks(70, uniqueName('receiver'), () => behaviours.silent);
  await recordEvents(site, [{ organizationId: tenant.organizationId, type: 'runner_lost' }]);
  tenant = await createTenant(site);
  const name = uniqueName('receiver');
  const [webhook] = await createWebhooks(1, name, () => behaviours.ok);
  await recordEvents(site, [{ organizationId: tenant.organizationId, type: 'runner_lost' }]);
  await eventually(() => expect(receiver.of(name + '-0')).toHaveLength(1));
  const attempts = await Promise.all(hanging.map((each) => deliveriesOf(each)));
  // All that the server does for the other organization is still hanging.
  expect(attempts.flat().flatMap((row) => row.attempts)).toEqual([]);
  await settle(webhook as TestWebhook, 1);
  second = await OwnSite.beside(site);
});

it('deletes deliveries with their events, but none that is still to be sent', async () => {
  const name = uniqueName('receiver');
  const webhook = await createWebhook(app, { url: receiver.url(name) });
  await happen(2);
  await settle(webhook, 2);
  receiver.change(name, behaviours.status(503));
  await happen(1);
  await eventually(() => expect(receiver.of(name)).toHaveLength(3));
  await site.query(
    `UPDATE webhook_deliveries SET created_at = now() - interval '31 days' WHERE webhook_id = $1`,
    [webhook.id],
  );
  await runQueue(site, 'webhook-delivery-retention');
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(['pending']);
});
