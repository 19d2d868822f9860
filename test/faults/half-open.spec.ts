import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

/* The packets between server and PostgreSQL are dropped, and no connection is closed. */

/** No request may take longer, in milliseconds. */
const LONGEST = 15_000;

let site: OwnSite;
let proxy: DatabaseProxy;
let tenant: Tenant;
let app: TestApp;
let bundle: Awaited<ReturnType<typeof uploadBundle>>;
let checks = 0;

beforeEach(async () => {
  site = await OwnSite.start({}, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  tenant = await createTenant(site);
  app = await createApp(tenant);
  bundle = await uploadBundle(app);
  checks = 0;
  await eventually(async () => expect(await check()).toBe(200));
});
afterEach(async () => {
  await site.dispose();
  await proxy.stop();
});

/** A device reports which bundle it runs. @returns the status */
async function report(bundleId: string | null): Promise<number> {
  const running = bundleId === null ? '' : `&bundleId=${bundleId}`;
  const { status } = await rawGet(
    site.origin,
    `${app.path}/bundles/latest?platform=0&pluginVersion=8.4.3&deviceId=reporting${running}`,
  );
  return status;
}

/** An update check of another device. @returns the status; 200 acknowledges the check-in */
async function check(): Promise<number> {
  const { status } = await rawGet(
    site.origin,
    `${app.path}/bundles/latest?platform=0&pluginVersion=8.4.3&deviceId=device-${checks++}`,
  );
  return status;
}

/** @throws Error when the response takes too long */
async function statusOf(path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${site.origin}${path}`, { headers, signal: AbortSignal.timeout(LONGEST) });
  await response.arrayBuffer();
  return response.status;
}

/** A request that needs the database. */
const listApps = (): Promise<number> =>
  statusOf('/v1/apps', { authorization: `Bearer ${tenant.owner.token}` });

/** Requests of several callers, until `end`. @returns their statuses, each once */
function load(): { end(): Promise<Set<number>> } {
  let isOver = false;
  const statuses = new Set<number>();
  const callers = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      statuses.add(await listApps());
      await sleep(20);
    }
  });
  const all = Promise.all(callers);
  all.catch(() => undefined);
  return {
    end: async () => {
      isOver = true;
      await all;
      return statuses;
    },
  };
}

async function expectRecorded(): Promise<void> {
  const rows = await site.query<{ id: string }>('SELECT id FROM devices');
  const expected = Array.from({ length: checks }, (_, index) => `device-${index}`);
  expect(rows.map(({ id }) => id).sort()).toEqual(expected.sort());
}

it('answers with 503 soon, ends at a signal, and writes what it has acknowledged', async () => {
  const requests = load();
  await sleep(500);
  proxy.freeze();
  for (let i = 0; i < 100; i++) expect(await check()).toBe(200);
  await eventually(async () => expect(await listApps()).toBe(503));
  await eventually(async () => expect(await statusOf('/health/ready?for=writes')).toBe(503));
  await eventually(async () => expect(await statusOf('/health/ready')).toBe(200));
  expect(await requests.end()).toEqual(new Set([200, 503]));
  for (let i = 0; i < 100; i++) expect(await check()).toBe(200);

  const stopped = site.server.stop();
  await sleep(2000);
  proxy.forget();
  expect(await stopped).toBe(0);
  await expectRecorded();
});

it('ends at a signal in the first moment', async () => {
  proxy.freeze();
  for (let i = 0; i < 100; i++) expect(await check()).toBe(200);
  const stopped = site.server.stop();
  proxy.forget();
  expect(await stopped).toBe(0);
  await expectRecorded();
});

it('ends at a signal without any path to the database', async () => {
  const requests = Array.from({ length: 20 }, () => fetch(`${site.origin}/v1/apps`).catch(() => undefined));
  proxy.freeze();
  expect(await check()).toBe(200);
  expect(await site.server.stop()).toBe(0);
  await Promise.all(requests);
});

it('goes on with new connections when the others are dead', async () => {
  const requests = load();
  await sleep(500);
  proxy.freeze();
  proxy.forget();
  for (let i = 0; i < 100; i++) expect(await check()).toBe(200);
  await eventually(async () => {
    for (let i = 0; i < 20; i++) expect(await listApps()).toBe(200);
  });
  expect(await statusOf('/health/ready?for=writes')).toBe(200);
  await requests.end();
  await eventually(expectRecorded);
  expect(await site.server.stop()).toBe(0);
});

it('does not wait long for the locks of connections that are dead', async () => {
  const create = (): Promise<Response> =>
    fetch(`${site.origin}${app.path}/channels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: randomUUID() }),
    });
  const written = proxy.holdNext('INSERT INTO "channels"');
  const lost = create();
  await written;
  const { status } = await create();
  expect(status).toBe(201);
  expect((await lost).status).toBe(503);
});

it('counts a roll-back once that it has written twice, because the answer was lost', async () => {
  const rows = (): Promise<{ bundleId: string | null }[]> =>
    site.query('SELECT bundle_id AS "bundleId" FROM devices WHERE id = $1', ['reporting']);
  // It was offered the bundle, and runs it.
  await report(null);
  await eventually(async () => expect(await rows()).toEqual([{ bundleId: null }]));
  await report(bundle.id);
  await eventually(async () => expect(await rows()).toEqual([{ bundleId: bundle.id }]));
  const written = proxy.holdNext('INSERT INTO devices');
  await report(null);
  await written;
  const endRecord = proxy.record();
  await proxy.stop();
  await proxy.resume();
  // Writes what waits.
  await site.server.stop();
  expect(endRecord()).toContain('INSERT INTO devices');
  expect(await rows()).toEqual([{ bundleId: null }]);
  expect(await site.query('SELECT count FROM device_rollbacks')).toEqual([{ count: 1 }]);
});
