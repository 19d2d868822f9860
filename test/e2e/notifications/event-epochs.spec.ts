import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createWebhook } from '../../builders/webhook.js';
import type { ServerProcess } from '../../setup/server.js';
import { ChangeStream } from '../../support/events/change-stream.js';
import { settleEvents } from '../../support/events/events.js';
import {
  type ReadEvent,
  type ReadFeed,
  readEvents,
  readEventsUntil,
  requestEvents,
} from '../../support/events/feed.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { linesOfProgram } from '../../support/processes/programs.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { uniqueName } from '../../support/unique-name.js';

/* Epochs are of a whole database, so these tests have their own, with two servers. */

const UUID_7 = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/;
const MESSAGE =
  /^The database was restored from a backup, and this cursor is from another epoch\. Continue with the oldest one: (\S+)$/;

let site: OwnSite;
let second: ServerProcess;
let tenant: Tenant;
let app: TestApp;
/** The same caller at both servers. */
let apis: readonly [Api, Api];

beforeAll(async () => {
  site = await OwnSite.start();
  second = await OwnSite.beside(site);
});
beforeEach(async () => {
  tenant = await createTenant(site);
  app = await createApp(tenant);
  apis = [tenant.owner.api, new Api(second.origin, tenant.owner.token)];
  await settleEvents(site, tenant.organizationId);
});
afterAll(() => site.dispose());

/** @returns the id of the epoch */
async function beginEpoch(): Promise<string> {
  const [line = ''] = await linesOfProgram('events new-epoch', site);
  expect(line).toMatch(/^The epoch \S+ began at 2\S+Z\. Cursors from before it get a 410\.$/);
  return UUID_7.exec(line)?.[0] ?? '';
}

const request = (query: Parameters<typeof requestEvents>[2], api = apis[0]) =>
  requestEvents(api, tenant.organizationId, query);
const read = (query: Parameters<typeof readEvents>[2] = {}, api = apis[0]): Promise<ReadFeed> =>
  readEvents(api, tenant.organizationId, query);
const change = (action: 'pause' | 'resume') =>
  app.api.post(`${app.path}/channels/${app.defaultChannelId}/${action}`);
const latest = async (): Promise<string> => (await read({ start: 'latest' })).cursor;
const untilPaused = (cursor: string): Promise<readonly ReadEvent[]> =>
  readEventsUntil(apis[0], tenant.organizationId, cursor, (events) =>
    events.some(({ type }) => type === 'app_channel_paused'),
  );

/** The cursor that the response names. */
function expectEnded(response: Awaited<ReturnType<typeof requestEvents>>): string {
  const { message, code } = response.body as { message: string; code: string };
  expect([response.status, code]).toEqual([410, 'cursor_expired']);
  expect(message).toMatch(MESSAGE);
  return MESSAGE.exec(message)?.[1] ?? '';
}

it('ends cursors for ever on all servers, also where new positions have passed them', async () => {
  const before = await latest();
  const epoch = await beginEpoch();
  for (const api of apis) expectEnded(await request({ cursor: before }, api));
  await change('pause');
  await change('resume');
  await settleEvents(site, tenant.organizationId);
  for (const api of apis) {
    expectEnded(await request({ cursor: before }, api));
    expectEnded(await request({ cursor: before, wait: 5 }, api));
    expectEnded(await request({ before, order: 'newest' }, api));
    const oldest = expectEnded(await request({ cursor: before }, api));
    const { events, cursor } = await read({ cursor: oldest }, api);
    expect(events.slice(-2).map((event) => [event.type, event.epoch])).toEqual([
      ['app_channel_paused', epoch],
      ['app_channel_resumed', epoch],
    ]);
    // What got its position before keeps its epoch.
    expect(events[0]?.epoch).not.toBe(epoch);
    expect((await read({ cursor }, api)).events).toEqual([]);
    expect((await read({ before: cursor, order: 'newest', limit: 1 }, api)).events).toHaveLength(1);
  }
});

it('ends a cursor of a lost epoch, and of one that was never begun', async () => {
  await beginEpoch();
  const lost = await latest();
  const epoch = await beginEpoch();
  expectEnded(await request({ cursor: lost }));
  // As in a backup from before the epoch.
  await site.query('DELETE FROM event_epochs WHERE id = $1', [epoch]);
  expect((await request({ cursor: lost })).status).toBe(200);
  const bytes = Buffer.from(await latest(), 'base64url');
  for (const forged of [
    Buffer.alloc(16),
    Buffer.alloc(16, 255),
    Buffer.from(uuid().replaceAll('-', ''), 'hex'),
  ]) {
    forged.copy(bytes, 17);
    expectEnded(await request({ cursor: bytes.toString('base64url') }));
  }
});

it('takes only cursors of the organization, whatever their epoch, and no junk', async () => {
  await beginEpoch();
  const cursor = await latest();
  const other = await createTenant(site);
  const { cursor: foreign } = await readEvents(other.owner.api, other.organizationId);
  const wrong = [
    foreign,
    cursor.slice(0, -1),
    cursor.slice(0, 34),
    `${cursor}A`,
    `C${cursor.slice(1)}`,
    cursor.toLowerCase(),
    'A'.repeat(10_000),
    Buffer.alloc(41, 255).toString('base64url'),
    Buffer.alloc(7500, 2).toString('base64'),
    '====',
    '../../%00',
    '💥',
  ];
  for (const each of wrong) {
    expectInvalid(await request({ cursor: each }), 'cursor');
    expectInvalid(await request({ before: each, order: 'newest' }), 'before');
  }
  expectError(await requestEvents(other.owner.api, tenant.organizationId, { cursor }), 404);
});

it('ends waits on all servers', async () => {
  const cursor = await latest();
  const startedAt = performance.now();
  const waits = apis.flatMap((api) => [
    request({ cursor, wait: 25 }, api),
    request({ cursor, wait: 25, types: 'app_channel_paused' }, api),
    request({ start: 'latest', wait: 25 }, api),
  ]);
  await sleep(500);
  await beginEpoch();
  await change('pause');
  for (const response of await Promise.all(waits)) expectEnded(response);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it('ends waits whose signal was lost', async () => {
  const cursor = await latest();
  const waits = apis.map((api) => request({ cursor, wait: 25 }, api));
  await sleep(500);
  await site.query('INSERT INTO event_epochs (id) VALUES ($1)', [uuid()]);
  for (const response of await Promise.all(waits)) expectEnded(response);
});

it('gives readers no event of a new epoch with a cursor of the old one', async () => {
  // Without signals: the event may be found before the epoch.
  const waits: ReturnType<typeof request>[] = [];
  const cursor = await latest();
  for (const api of apis) for (let i = 0; i < 10; i++) waits.push(request({ cursor, wait: 10 }, api));
  await sleep(300);
  await site.query('INSERT INTO event_epochs (id) VALUES ($1)', [uuid()]);
  await change('pause');
  for (const response of await Promise.all(waits)) expectEnded(response);
});

it('ends streams of changes, which take no position, also with Last-Event-ID', async () => {
  const headers = { Authorization: `Bearer ${tenant.owner.token}`, 'Last-Event-ID': await latest() };
  const streams = await Promise.all(
    apis.map((api) => ChangeStream.open(api, tenant.organizationId, headers)),
  );
  await beginEpoch();
  await eventually(() => expect(streams.map(({ hasEnded }) => hasEnded)).toEqual([true, true]));
  const again = await Promise.all(apis.map((api) => ChangeStream.open(api, tenant.organizationId, headers)));
  await change('pause');
  const hint = { appId: app.id, kind: 'channel', id: app.defaultChannelId };
  for (const stream of again) await eventually(() => expect(stream.hints).toContainEqual(hint));
  again.forEach((stream) => stream.close());
});

it('sends webhooks the epoch, and does not stop them', async () => {
  const receiver = await WebhookReceiver.start();
  const name = uniqueName('receiver');
  await createWebhook(app, {
    url: receiver.url(name),
    events: ['app_channel_paused', 'app_channel_resumed'],
  });
  await change('pause');
  await eventually(() => expect(receiver.of(name)).toHaveLength(1));
  const epoch = await beginEpoch();
  await change('resume');
  await eventually(() => expect(receiver.of(name)).toHaveLength(2));
  await receiver.stop();
  const [before, after] = receiver.of(name).map(({ body }) => JSON.parse(body) as ReadEvent);
  expect(after?.epoch).toBe(epoch);
  expect((before?.epoch ?? '') < epoch).toBe(true);
  expect(after?.position).toBeGreaterThan(before?.position ?? Infinity);
});

it('begins two epochs one after the other, however close they are', async () => {
  const ids = await Promise.all([beginEpoch(), beginEpoch(), beginEpoch()]);
  expect(new Set(ids).size).toBe(3);
  const start = await latest();
  await change('pause');
  const paused = (await untilPaused(start)).find(({ type }) => type === 'app_channel_paused');
  expect(paused?.epoch).toBe([...ids].sort().at(-1));
  const epochs = await site.query<{ id: string }>('SELECT id FROM event_epochs ORDER BY created_at');
  expect(epochs.map(({ id }) => id)).toEqual(epochs.map(({ id }) => id).sort());
});

it('begins a later epoch, although the clock has gone back', async () => {
  const ahead = new Date(Date.now() + 3_600_000);
  await site.query('INSERT INTO event_epochs (id, created_at) VALUES ($1, $2)', [
    uuid({ msecs: ahead.getTime() }),
    ahead,
  ]);
  const epoch = await beginEpoch();
  const [last] = await site.query<{ id: string }>('SELECT id FROM event_epochs ORDER BY id DESC LIMIT 1');
  expect(last?.id).toBe(epoch);
});

it('goes on where a restored database is: readers of lost events read again', async () => {
  await change('pause');
  await settleEvents(site, tenant.organizationId);
  const { events, cursor } = await read();
  const { position = 0 } = events.at(-1) ?? {};
  // As a backup from before the last event.
  await site.query('DELETE FROM events WHERE organization_id = $1 AND position = $2', [
    tenant.organizationId,
    position,
  ]);
  await site.query('UPDATE event_positions SET position = $2 WHERE organization_id = $1', [
    tenant.organizationId,
    position - 1,
  ]);
  const epoch = await beginEpoch();
  await change('resume');
  await settleEvents(site, tenant.organizationId);
  // Its position is given again, so that without an epoch the event would be missed.
  const oldest = expectEnded(await request({ cursor }));
  expect((await read({ cursor: oldest })).events.at(-1)).toMatchObject({
    type: 'app_channel_resumed',
    epoch,
    position,
  });
});
