import { createApp, type TestApp } from '../../builders/app.js';
import { createMember, type Tenant } from '../../builders/identities.js';
import { createDeviceSession } from '../../builders/session.js';
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
import { type ReadFeed, requestEvents } from '../../support/events/feed.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';

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

it('waits for events, and goes on with those that it may see', async () => {
  const waiting = read({ wait: 20, types: PAUSED });
  const filtered = read({ wait: 20, types: RESUMED });
  const { api } = await createMember(tenant, 'viewer');
  const ofViewer = read({ wait: 20, types: PAUSED }, api);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await record([{ type: PAUSED }]);
  expect(typesOf(await waiting)).toEqual([PAUSED]);
  expect(typesOf(await ofViewer)).toEqual([PAUSED]);
  await record([{ type: RESUMED }]);
  expect(typesOf(await filtered)).toEqual([RESUMED]);
});

it('ends a wait without events with a cursor', async () => {
  const { events, cursor } = await read({ wait: 1, types: PAUSED });
  expect(events).toEqual([]);
  await record([{}]);
  expect((await read({ cursor, types: PAUSED })).events).toHaveLength(1);
});

it('ends the wait of a token that was revoked, and of a member who has left', async () => {
  const token = await createToken(tenant.owner.api);
  const member = await createMember(tenant, 'member');
  const waits = Promise.all([
    requestEvents(token.api, tenant.organizationId, { cursor: start, types: PAUSED, wait: 25 }),
    requestEvents(member.api, tenant.organizationId, { cursor: start, types: PAUSED, wait: 25 }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await tenant.owner.api.delete(`/v1/tokens/${token.id}`);
  await query(site.databaseUrl, 'DELETE FROM members WHERE id = $1', [member.memberId]);
  const [revoked, left] = await waits;
  expectError(revoked, 401);
  expectError(left, 404);
});

it('ends the wait of a session that has ended, and of a user who was disabled', async () => {
  const [visitor, disabled] = [await createMember(tenant, 'member'), await createMember(tenant, 'member')];
  const session = new Api(site.origin, await createDeviceSession(visitor.userId));
  const asked = { cursor: start, types: PAUSED, wait: 25 };
  const waits = [session, disabled.api].map((api) => requestEvents(api, tenant.organizationId, asked));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await query(site.databaseUrl, 'DELETE FROM sessions WHERE user_id = $1', [visitor.userId]);
  await query(site.databaseUrl, 'UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
  for (const response of await Promise.all(waits)) expectError(response, 401);
});

it('shows no event of an app that the teams or the token do not cover any more', async () => {
  const other = await createApp(tenant);
  const member = await createMember(tenant, 'member');
  const token = await createToken(tenant.owner.api, { appIds: [app.id] });
  const asked = { cursor: start, types: PAUSED, wait: 5 };
  const waits = [member.api, token.api].map((api) => requestEvents(api, tenant.organizationId, asked));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const team = await createTeam(tenant);
  await assignApp(tenant, team, other.id);
  await assignMember(tenant, team, member.memberId);
  await tenant.owner.api.patch(`/v1/tokens/${token.id}`, { appIds: [other.id] });
  await record([{}]);
  for (const { status, body } of await Promise.all(waits)) {
    expect({ status, events: (body as ReadFeed).events }).toEqual({ status: 200, events: [] });
  }
});

it('shows an event to no one who has lost the right while waiting', async () => {
  const member = await createMember(tenant, 'member');
  const waiting = requestEvents(member.api, tenant.organizationId, {
    cursor: start,
    types: PAUSED,
    wait: 20,
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await query(site.databaseUrl, `UPDATE members SET role = 'billing' WHERE id = $1`, [member.memberId]);
  await record([{}]);
  expectError(await waiting, 403);
});

it('lets 20 requests of a user wait', async () => {
  const { organizationId, owner } = tenant;
  const query = { cursor: start, types: PAUSED };
  const responses = await Promise.all(
    Array.from({ length: 21 }, () => requestEvents(owner.api, organizationId, { ...query, wait: 5 })),
  );
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(1);
  for (const response of refused) {
    const { message } = expectError(response, 429, 'rate_limited');
    expect(message).toMatch(/^20 requests of your user wait/);
    expect(response.headers['retry-after']).toBe('5');
  }
  expect((await requestEvents(owner.api, organizationId, { ...query, wait: 1 })).status).toBe(200);
});
