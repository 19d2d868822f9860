import { v7 as uuid } from 'uuid';
import { createApp } from '../../builders/app.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
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
import { readEvents, requestEvents, type ReadFeed } from '../../support/events/feed.js';
import { expectInvalid } from '../../support/http/expect-error.js';

const site = testEnvironment();
let recorder: EventRecorder;
let scene: FeedScene;

beforeAll(async () => {
  recorder = await EventRecorder.create();
});
beforeEach(async () => {
  scene = await createFeedScene(recorder);
});

const newest = (parameters: Record<string, string | number> = {}): Promise<ReadFeed> =>
  readEvents(scene.tenant.owner.api, scene.tenant.organizationId, { order: 'newest', ...parameters });
const stepsOf = ({ events }: ReadFeed): unknown[] => events.map(({ data }) => data['step']);

it('gives the newest events first, page after page to the oldest one, each once', async () => {
  await scene.record(Array.from({ length: 25 }, (_, step) => ({ data: { step } })));
  const first = await newest({ limit: 10, types: PAUSED });
  expect(stepsOf(first)).toEqual([24, 23, 22, 21, 20, 19, 18, 17, 16, 15]);
  expect(first.hasMore).toBe(true);
  await scene.record([{ data: { step: 25 } }]);
  const second = await newest({ limit: 10, types: PAUSED, before: first.cursor });
  expect(stepsOf(second)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  const third = await newest({ limit: 10, types: PAUSED, before: second.cursor });
  expect(stepsOf(third)).toEqual([4, 3, 2, 1, 0]);
  expect(third.hasMore).toBe(false);
  expect(await newest({ before: third.cursor })).toEqual({
    events: [],
    cursor: third.cursor,
    hasMore: false,
    users: [],
  });
  expect(stepsOf(await newest({ limit: 1, types: PAUSED }))).toEqual([25]);
});

it('names the users who caused them, without those who were deleted', async () => {
  const { userId, email } = scene.tenant.owner;
  await scene.record([{ userId }, { userId: uuid() }, { userId: null }]);
  const { events, users } = await newest({ types: PAUSED });
  expect(events).toHaveLength(3);
  expect(users).toEqual([{ id: userId, name: null, email }]);
  const oldest = await readEvents(scene.tenant.owner.api, scene.tenant.organizationId, { types: PAUSED });
  expect(oldest).not.toHaveProperty('users');
});

it('selects the events about one object in both orders', async () => {
  const objectId = uuid();
  const steps = Array.from({ length: 6 }, (_, step) => ({
    data: { step },
    ...(step % 2 === 0 ? { objectId } : {}),
    type: step < 4 ? PAUSED : RESUMED,
  }));
  await scene.record(steps);
  expect(stepsOf(await newest({ objectId: objectId.toUpperCase() }))).toEqual([4, 2, 0]);
  expect(stepsOf(await newest({ objectId, types: PAUSED, limit: 1 }))).toEqual([2]);
  expect(stepsOf(await scene.read({ objectId }))).toEqual([0, 2, 4]);
  expect(await newest({ objectId: uuid() })).toMatchObject({ events: [], hasMore: false });
  // Several objects.
  const other = uuid();
  await scene.record([{ objectId: other, data: { step: 5 } }]);
  expect(stepsOf(await newest({ objectId: `${objectId},${other}` }))).toEqual([5, 4, 2, 0]);
  expect(stepsOf(await newest({ objectId: `${objectId},${other}`, limit: 2 }))).toEqual([5, 4]);
  expect(stepsOf(await scene.read({ objectId: `${other},${objectId}` }))).toEqual([0, 2, 4, 5]);
});

it('waits for events about one object', async () => {
  const objectId = uuid();
  const waiting = scene.read({ objectId, wait: 20 });
  await scene.record([{}]);
  await scene.record([{ objectId, data: { step: 1 } }]);
  expect(stepsOf(await waiting)).toEqual([1]);
});

it('shows what the caller may see only, and goes on behind what it may not', async () => {
  const member = await createMember(scene.tenant, 'member');
  const other = await createApp(scene.tenant);
  const team = await createTeam(scene.tenant);
  await assignApp(scene.tenant, team, other.id);
  const read = () =>
    readEvents(member.api, scene.tenant.organizationId, { order: 'newest', types: PAUSED, limit: 1 });
  await scene.record([{ appId: other.id }, {}, {}]);
  expect(await read()).toMatchObject({ events: [], hasMore: false });
  await assignMember(scene.tenant, team, member.memberId);
  expect((await read()).events.map(({ appId }) => appId)).toEqual([other.id]);
  expect((await newest({ types: PAUSED, limit: 1 })).events[0]?.appId).toBe(scene.app.id);
});

it('refuses what belongs to the other order, and cursors of others', async () => {
  const { api } = scene.tenant.owner;
  const send = (parameters: Record<string, string | number>) =>
    requestEvents(api, scene.tenant.organizationId, parameters);
  const { cursor } = await newest();
  expectInvalid(await send({ order: 'newest', wait: 5 }), 'wait');
  expectInvalid(await send({ order: 'newest', start: 'latest' }), 'start');
  expectInvalid(await send({ order: 'newest', cursor }), 'cursor');
  expectInvalid(await send({ before: cursor }), 'before');
  expectInvalid(await send({ order: 'latest' }), 'order');
  expectInvalid(await send({ objectId: 'x' }), 'objectId');
  expectInvalid(await send({ objectId: Array.from({ length: 11 }, () => uuid()).join(',') }), 'objectId');
  const foreign = await createTenant();
  const theirs = await readEvents(foreign.owner.api, foreign.organizationId);
  for (const before of [theirs.cursor, 'x', `${cursor}A`]) {
    expectInvalid(await send({ order: 'newest', before }), 'before');
  }
});

it('ends at what the retention has deleted', async () => {
  await scene.record([{ data: { step: 0 } }, { data: { step: 1 } }, { data: { step: 2 } }]);
  const { events } = await newest({ types: PAUSED });
  expect(typesOf({ events, cursor: '', hasMore: false })).toHaveLength(3);
  const { organizationId } = scene.tenant;
  const middle = events[1]?.position;
  await query(site.databaseUrl, 'DELETE FROM events WHERE organization_id = $1 AND position <= $2', [
    organizationId,
    middle,
  ]);
  await query(
    site.databaseUrl,
    'UPDATE event_positions SET deleted_position = $2 WHERE organization_id = $1',
    [organizationId, middle],
  );
  const left = await newest({ limit: 1 });
  expect(stepsOf(left)).toEqual([2]);
  expect(left.hasMore).toBe(false);
});
