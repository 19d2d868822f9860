import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { EventRecorder } from '../../support/events/event-recorder.js';
import {
  createFeedScene,
  type FeedScene,
  PAUSED,
  RESUMED,
  typesOf,
} from '../../support/events/feed-scene.js';
import { dispatchedEvents } from '../../support/events/events.js';
import { readEvents, readEventsUntil, requestEvents } from '../../support/events/feed.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

const RUNNER_LOST = 'runner_lost';

const site = testEnvironment();
let recorder: EventRecorder;
let tenant: Tenant;
let app: TestApp;
let start: string;
let record: FeedScene['record'];
let read: FeedScene['read'];

beforeAll(async () => {
  recorder = await EventRecorder.create();
});
beforeEach(async () => {
  ({ tenant, app, start, record, read } = await createFeedScene(recorder));
});

it('shows a change through the API with everything that is known about it', async () => {
  const channel = await createChannel(app);
  await app.api.post(`${app.path}/channels/${channel.id}/pause`);
  const [event] = await readEventsUntil(
    tenant.owner.api,
    tenant.organizationId,
    start,
    (events) => events.length > 0,
  );
  expect(event).toMatchObject({
    type: PAUSED,
    organizationId: tenant.organizationId,
    appId: app.id,
    objectId: channel.id,
    channelId: channel.id,
    userId: tenant.owner.userId,
  });
});

it('gives pages in the order of positions, each event once', async () => {
  await record(Array.from({ length: 25 }, (_, step) => ({ data: { step } })));
  const steps: unknown[] = [];
  let cursor = start;
  for (let pages = 0; ; pages++) {
    const feed = await read({ cursor, limit: 10 });
    steps.push(...feed.events.map(({ data }) => data['step']));
    ({ cursor } = feed);
    expect(feed.hasMore).toBe(pages < 2);
    if (!feed.hasMore) break;
  }
  expect(steps).toEqual(Array.from({ length: 25 }, (_, step) => step));
  expect(await read({ cursor })).toEqual({ events: [], cursor, hasMore: false });
});

it('begins with the oldest event, or with what happens from now on', async () => {
  await record([{}, {}]);
  expect((await read({ cursor: undefined })).events.at(-1)?.position).toBeGreaterThanOrEqual(2);
  const latest = await read({ cursor: undefined, start: 'latest' });
  expect(latest.events).toEqual([]);
  await record([{}]);
  expect((await read({ cursor: latest.cursor })).events).toHaveLength(1);
});

it('selects by type, app and channel', async () => {
  const other = await createApp(tenant);
  await record([{ type: PAUSED }, { type: RESUMED }, { appId: other.id }]);
  const channelId = uuid();
  await query(site.databaseUrl, 'UPDATE events SET channel_id = $1 WHERE app_id = $2', [channelId, other.id]);
  expect(typesOf(await read({ types: RESUMED }))).toEqual([RESUMED]);
  expect(typesOf(await read({ types: `${RESUMED},${PAUSED}` }))).toHaveLength(3);
  expect((await read({ appId: other.id.toUpperCase() })).events).toHaveLength(1);
  expect((await read({ channelId })).events).toHaveLength(1);
  expect((await read({ channelId, types: RESUMED })).events).toEqual([]);
  expectError(await requestEvents(tenant.owner.api, tenant.organizationId, { types: 'nothing' }), 400);
});

it('shows members the apps of their teams, and moves their cursors on', async () => {
  const member = await createMember(tenant, 'member');
  const other = await createApp(tenant);
  const team = await createTeam(tenant);
  await assignApp(tenant, team, other.id);
  await record([{}, {}, { type: RUNNER_LOST, appId: null }]);
  const nothing = await read({}, member.api);
  expect(nothing.events).toEqual([]);
  expect(nothing.cursor).not.toBe(start);

  await assignMember(tenant, team, member.memberId);
  await record([{}, { appId: other.id }]);
  const some = await read({ cursor: nothing.cursor }, member.api);
  expect(some.events.map(({ appId }) => appId)).toEqual([other.id]);
});

it('shows a token that is limited to an app the events of this app only', async () => {
  const other = await createApp(tenant);
  await record([{}, { appId: other.id }, { type: RUNNER_LOST, appId: null }]);
  const { api } = await createToken(tenant.owner.api, { appIds: [other.id] });
  expect((await read({}, api)).events.map(({ appId }) => appId)).toEqual([other.id]);
  const pausesOnly = await createToken(tenant.owner.api, { permissions: ['events:read', 'runners:read'] });
  expect(typesOf(await read({}, pausesOnly.api))).toEqual([RUNNER_LOST]);
  const without = await createToken(tenant.owner.api, { permissions: ['channels:read'] });
  expectError(await requestEvents(without.api, tenant.organizationId), 403);
});

it('shows no events of an app that has moved to another organization', async () => {
  await record([{}]);
  const target = await createTenant();
  await createMember(target, 'owner');
  const { id } = await createApp(tenant);
  await record([{ appId: id }]);
  await query(site.databaseUrl, 'UPDATE apps SET organization_id = $1 WHERE id = $2', [
    target.organizationId,
    id,
  ]);
  await record([{}]);
  expect((await read()).events.map(({ appId }) => appId)).toEqual([app.id, app.id]);
  const inTarget = await readEvents(target.owner.api, target.organizationId, { types: PAUSED });
  expect(inTarget.events).toEqual([]);
});

it('takes only cursors of the organization', async () => {
  const other = await createTenant();
  const { cursor } = await readEvents(other.owner.api, other.organizationId);
  for (const wrong of [cursor, 'x', start.slice(0, -1), `${start}A`, start.toLowerCase(), '%00']) {
    const response = await requestEvents(tenant.owner.api, tenant.organizationId, { cursor: wrong });
    expectInvalid(response, 'cursor');
  }
  expectError(await requestEvents(other.owner.api, tenant.organizationId, { cursor: start }), 404);
  expectInvalid(await requestEvents(tenant.owner.api, tenant.organizationId, { wait: 26 }), 'wait');
});

it('says which cursor is the oldest after events were deleted', async () => {
  await record([{}, {}, {}, {}]);
  const events = await dispatchedEvents(
    site,
    tenant.organizationId,
    (await read({ cursor: undefined })).events.length,
  );
  const old = events.slice(0, -1).map(({ id }) => id);
  await query(
    site.databaseUrl,
    `UPDATE events SET created_at = now() - interval '31 days' WHERE id = ANY ($1)`,
    [old],
  );
  await query(
    site.databaseUrl,
    `INSERT INTO queue.job (name, data, retry_limit) VALUES ('event-retention', '{}', 0)`,
  );
  const response = await eventually(async () => {
    const found = await requestEvents(tenant.owner.api, tenant.organizationId, { cursor: start });
    expect(found.status).toBe(410);
    return found;
  });
  const { message, code } = response.body as { message: string; code: string };
  expect(code).toBe('cursor_expired');
  const oldest = /: (\S+)$/.exec(message)?.[1] ?? '';
  expect((await read({ cursor: oldest })).events).toHaveLength(1);
  expect((await read({ cursor: undefined })).events).toHaveLength(1);
});
