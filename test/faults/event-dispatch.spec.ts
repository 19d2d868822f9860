import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { createWebhook } from '../builders/webhook.js';
import { query } from '../setup/databases.js';
import type { ServerProcess } from '../setup/server.js';
import {
  dispatchedEvents,
  forgetEvents,
  RECORD,
  recordEvents,
  recordValues,
  type StoredEvent,
  storedEvents,
} from '../support/events/events.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

let proxy: DatabaseProxy;
let site: OwnSite;
let second: ServerProcess;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({}, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  second = await OwnSite.beside(site);
});
beforeEach(async () => {
  await site.resume();
  tenant = await createTenant(site);
  app = await createApp(tenant);
  await forgetEvents(site, tenant.organizationId);
});
afterAll(async () => {
  await second.kill();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: site.databaseUrl });
  await client.connect();
  return client;
}

/** A change of the app: its row is locked, then its event is recorded. */
async function change(client: pg.Client, step: number): Promise<void> {
  await client.query('SELECT FROM apps WHERE id = $1 FOR NO KEY UPDATE', [app.id]);
  const values = { organizationId: tenant.organizationId, appId: app.id, objectId: app.id, data: { step } };
  await client.query(RECORD, recordValues(values));
}

function positionsOf(events: readonly StoredEvent[]): (number | null)[] {
  return events.map(({ position }) => position);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

it('skips no event of a transaction that takes ten seconds, and keeps the events of an object in order', async () => {
  const { organizationId } = tenant;
  const [slow, waiting] = [await connect(), await connect()];
  await slow.query('BEGIN');
  await change(slow, 1);
  await waiting.query('BEGIN');
  // Waits for the row of the app, and with it for the other transaction.
  const changed = change(waiting, 2).then(() => waiting.query('COMMIT'));

  const deadline = Date.now() + 10_000;
  let others = 0;
  while (Date.now() < deadline) {
    await recordEvents(
      site,
      Array.from({ length: 20 }, () => ({ organizationId, appId: app.id })),
    );
    others += 20;
    await sleep(200);
  }
  const before = await dispatchedEvents(site, organizationId, others);
  expect(positionsOf(before)).toEqual(upTo(others));
  await slow.query('COMMIT');
  await changed;

  const after = await dispatchedEvents(site, organizationId, others + 2);
  expect(after.slice(0, others)).toEqual(before);
  expect(positionsOf(after)).toEqual(upTo(others + 2));
  expect(after.slice(others).map(({ data }) => data['step'])).toEqual([1, 2]);
  expect(after[others]?.serial).toBeLessThan(after[0]?.serial ?? 0);
  await Promise.all([slow.end(), waiting.end()]);
});

it('gives each event one position while servers are killed', async () => {
  const { organizationId } = tenant;
  const objects = upTo(5).map(() => uuid());
  const changes = 40;
  const recording = Promise.all(
    objects.map(async (objectId) => {
      for (const step of upTo(changes)) {
        await recordEvents(site, [{ organizationId, objectId, data: { step } }]);
        await sleep(60);
      }
    }),
  );
  const killing = (async () => {
    for (let kill = 0; kill < 3; kill++) {
      await sleep(500 + 300 * kill);
      await site.server.kill();
      await site.resume();
    }
  })();
  await Promise.all([recording, killing]);

  const events = await dispatchedEvents(site, organizationId, objects.length * changes);
  expect(positionsOf(events)).toEqual(upTo(objects.length * changes));
  for (const objectId of objects) {
    const steps = events.filter((event) => event.objectId === objectId).map(({ data }) => data['step']);
    expect(steps).toEqual(upTo(changes));
  }
});

it('goes on after the database was away', async () => {
  const { organizationId } = tenant;
  await recordEvents(site, [{ organizationId }]);
  await dispatchedEvents(site, organizationId, 1);
  await proxy.stop();
  await recordEvents(site, [{ organizationId }, { organizationId }]);
  await sleep(3000);
  expect(positionsOf(await storedEvents(site, organizationId))).toEqual([1, null, null]);
  await proxy.resume();
  expect(positionsOf(await dispatchedEvents(site, organizationId, 3))).toEqual([1, 2, 3]);
});

it('leaves the events of an app that is being deleted, and goes on with the others', async () => {
  const { organizationId } = tenant;
  const deleting = await connect();
  await deleting.query('BEGIN');
  await deleting.query('DELETE FROM apps WHERE id = $1', [app.id]);
  // The foreign key makes recording in the app wait for the deletion, so this event was there before.
  const other = await createApp(tenant);
  await recordEvents(site, [{ organizationId, appId: other.id }, { organizationId }]);
  expect(positionsOf(await dispatchedEvents(site, organizationId, 2))).toEqual([1, 2]);
  await deleting.query('COMMIT');
  await deleting.end();
});

it('waits for an app that is locked, and then has the events of it in order', async () => {
  const { organizationId } = tenant;
  const locking = await connect();
  await locking.query('BEGIN');
  // What the dispatcher finds while a deletion goes on: events, and their app locked.
  await proxy.stop();
  await recordEvents(
    site,
    upTo(700).map((step) => ({ organizationId, appId: app.id, objectId: app.id, data: { step } })),
  );
  await recordEvents(site, [{ organizationId }]);
  await locking.query('SELECT FROM apps WHERE id = $1 FOR UPDATE', [app.id]);
  await proxy.resume();
  await dispatchedEvents(site, organizationId, 1);
  await locking.query('ROLLBACK');
  const events = await dispatchedEvents(site, organizationId, 701);
  expect(events.slice(1).map(({ data }) => data['step'])).toEqual(upTo(700));
  await locking.end();
});

it('gives the events of many organizations their positions, each from 1', async () => {
  const tenants = await Promise.all(upTo(20).map(() => createTenant(site)));
  for (const { organizationId } of tenants) await forgetEvents(site, organizationId);
  await query(
    site.databaseUrl,
    `INSERT INTO events (id, type, object_id, data, organization_id)
     SELECT gen_random_uuid(), 'app_channel_paused', gen_random_uuid(), jsonb_build_object('step', step), id
       FROM generate_series(1, 100) AS step CROSS JOIN unnest($1::uuid[]) AS id ORDER BY step`,
    [tenants.map(({ organizationId }) => organizationId)],
  );
  await eventually(async () => {
    for (const { organizationId } of tenants) {
      const events = await storedEvents(site, organizationId);
      expect(events.map(({ position, data }) => [position, data['step']])).toEqual(
        upTo(100).map((step) => [step, step]),
      );
    }
  });
});

it('gives an event its position between the batches of an organization that has very many', async () => {
  const other = await createTenant(site);
  await forgetEvents(site, other.organizationId);
  await site.query(
    `INSERT INTO events (id, type, object_id, data, organization_id)
     SELECT gen_random_uuid(), 'app_channel_paused', gen_random_uuid(), '{}', CASE step WHEN 5000 THEN $2 ELSE $1 END::uuid
       FROM generate_series(1, 5000) AS step ORDER BY step`,
    [tenant.organizationId, other.organizationId],
  );
  await dispatchedEvents(site, tenant.organizationId, 4999);
  const [event] = await dispatchedEvents(site, other.organizationId, 1);
  // Each batch is one transaction. Both servers may begin with one of the other organization.
  const before = await site.query(
    `SELECT DISTINCT xmin FROM events WHERE organization_id = $1
        AND xmin::text::bigint < (SELECT xmin::text::bigint FROM events WHERE id = $2)`,
    [tenant.organizationId, event?.id],
  );
  expect(before.length).toBeLessThan(5);
});

it('goes on after an event whose deliveries cannot be written', async () => {
  const { organizationId, owner } = tenant;
  const webhook = await createWebhook({ path: `/v1/organizations/${organizationId}`, api: owner.api });
  await site.query(`
    CREATE FUNCTION refuse_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
    CREATE TRIGGER refuse_delivery BEFORE INSERT ON webhook_deliveries
      FOR EACH ROW WHEN (NEW.event_type = 'runner_lost') EXECUTE FUNCTION refuse_delivery()`);
  const types = ['app_channel_paused', 'runner_lost', 'app_channel_resumed'];
  await recordEvents(
    site,
    types.map((type) => ({ organizationId, type })),
  );
  const events = await dispatchedEvents(site, organizationId, types.length);
  await site.query('DROP TRIGGER refuse_delivery ON webhook_deliveries; DROP FUNCTION refuse_delivery()');
  expect(events.map(({ position, type }) => [position, type])).toEqual(
    types.map((type, index) => [index + 1, type]),
  );
  const delivered = await site.query(
    'SELECT event_type AS type FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY position',
    [webhook.id],
  );
  expect(delivered.map(({ type }) => type)).toEqual(['app_channel_paused', 'app_channel_resumed']);
  const log = [...site.server.log, ...second.log].filter((line) => line.includes('Nothing follows an event'));
  expect(log).toHaveLength(1);
});
