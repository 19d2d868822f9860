import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { createActor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { ChangeStream } from '../../support/events/change-stream.js';
import { EventRecorder } from '../../support/events/event-recorder.js';
import { PAUSED } from '../../support/events/feed-scene.js';
import { requestEvents } from '../../support/events/feed.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { PageScript } from '../../support/http/page-script.js';

const { origin, databaseUrl } = testEnvironment();
/** Longer than callers stay unchecked, in milliseconds. */
const CHECKED_WITHIN = 15_000;

let tenant: Tenant;
let app: TestApp;
let path: string;
let open: ChangeStream[];

beforeEach(async () => {
  tenant = await createTenant();
  app = await createApp(tenant);
  path = `/v1/organizations/${tenant.organizationId}/changes`;
  open = [];
});
afterEach(() => open.forEach((stream) => stream.close()));

async function openAs(api: Api, organizationId = tenant.organizationId): Promise<ChangeStream> {
  const stream = await ChangeStream.open(api, organizationId);
  open.push(stream);
  return stream;
}

const sql = (text: string, values: unknown[]): Promise<object[]> => query(databaseUrl, text, values);
const pause = (of = app): Promise<unknown> =>
  app.api.post(`${of.path}/channels/${of.defaultChannelId}/pause`);
const ofChannel = (of = app) => ({ appId: of.id, kind: 'channel', id: of.defaultChannelId });
const ofApp = (of = app) => ({ appId: of.id, kind: 'app', id: of.id });

const expectHint = (stream: ChangeStream, hint: object): Promise<void> =>
  eventually(() => expect(stream.hints).toContainEqual(hint));
const expectEnd = (stream: ChangeStream): Promise<void> =>
  eventually(() => expect(stream.hasEnded).toBe(true), CHECKED_WITHIN);

describe('a stream of changes', () => {
  it('names what has changed, with an event or without, and nothing more', async () => {
    const stream = await openAs(app.api);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await pause();
    await expectHint(stream, ofChannel());
    await expectHint(stream, ofApp());
    const { id } = await createDeployment(app);
    await expectHint(stream, { appId: app.id, kind: 'deployment', id });
    const other = await createApp(tenant);
    await expectHint(stream, ofApp(other));
    // Another default channel is a change without an event.
    const channel = await createChannel(other);
    await sleep(2500);
    const before = stream.hints.length;
    await other.api.patch(other.path, { appChannelId: channel.id });
    await eventually(() => expect(stream.hints.slice(before)).toEqual([ofApp(other)]));
    expect(stream.text.startsWith('retry: 2000\n\n')).toBe(true);
    expect(stream.text).not.toMatch(/^(id|event):/m);
  });

  it('names an app that was deleted', async () => {
    const gone = await createApp(tenant);
    const stream = await openAs(app.api);
    const count = (): number => stream.hints.filter(({ id }) => id === gone.id).length;
    await sleep(500);
    const before = count();
    await app.api.delete(gone.path);
    await eventually(() => expect(count()).toBe(before + 1));
  });

  it('names an object once in two seconds, and not again when nothing follows', async () => {
    const stream = await openAs(app.api);
    const times = (): number[] => stream.times.filter((_, index) => stream.hints[index]?.kind === 'channel');
    for (let changes = 0; times().length < 3; changes++) {
      await app.api.post(
        `${app.path}/channels/${app.defaultChannelId}/${changes % 2 === 0 ? 'pause' : 'resume'}`,
      );
      await sleep(100);
    }
    await sleep(2500);
    const all = times();
    expect(all.length).toBeLessThanOrEqual((performance.now() - (all[0] ?? 0)) / 1900 + 1);
    for (const [index, time] of all.slice(1).entries()) {
      expect(time - (all[index] ?? 0)).toBeGreaterThan(1500);
    }
  });

  it('does not name check-ins of devices, nor what happens elsewhere', async () => {
    const stream = await openAs(app.api);
    // The app may be new to the stream.
    await sleep(500);
    const before = stream.hints.length;
    await createDevice(app);
    await pause(await createApp());
    await sleep(1500);
    expect(stream.hints.slice(before)).toEqual([]);
  });

  it('begins with what happens from then on', async () => {
    await pause();
    await eventually(async () => {
      const waiting = await sql('SELECT FROM events WHERE organization_id = $1 AND position IS NULL', [
        tenant.organizationId,
      ]);
      expect(waiting).toEqual([]);
    });
    const stream = await openAs(app.api);
    await createToken(app.api);
    await eventually(() => expect(stream.hints.map(({ kind }) => kind)).toContain('token'));
    expect(stream.hints).not.toContainEqual(ofChannel());
  });

  it('is for pages, too, and HEAD has its headers only', async () => {
    const person = await createPerson();
    await sql(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'viewer')`,
      [tenant.organizationId, person.userId],
    );
    const script = await PageScript.of(await signedInBrowser(person));
    const response = await script.send('head', path);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expectError(await script.send('get', path, { 'X-CSRF-Token': null }), 401, 'not_authenticated');
  });
});

describe('callers', () => {
  it('get hints about what they may see', async () => {
    const hidden = await createApp(tenant);
    const member = await createMember(tenant, 'member');
    const team = await createTeam(tenant);
    await assignApp(tenant, team, app.id);
    await assignMember(tenant, team, member.memberId);
    const limited = await createToken(app.api, { appIds: [app.id] });
    const streams = [await openAs(member.api), await openAs(limited.api)];
    const ofOwner = await openAs(app.api);
    const deploys = await createToken(app.api, { permissions: ['events:read', 'deployments:read'] });
    const ofDeployments = await openAs(deploys.api);
    await pause(hidden);
    await createToken(app.api);
    await pause();
    const { id } = await createDeployment(app);
    for (const stream of streams) {
      await expectHint(stream, { appId: app.id, kind: 'deployment', id });
      await expectHint(stream, ofChannel());
      expect(stream.hints.filter(({ appId }) => appId === hidden.id)).toEqual([]);
    }
    expect(streams[1]?.hints.filter(({ appId }) => appId !== app.id)).toEqual([]);
    for (const hint of [ofChannel(hidden), ofApp(hidden)]) await expectHint(ofOwner, hint);
    expect(ofOwner.hints.map(({ kind }) => kind)).toContain('token');
    await expectHint(ofDeployments, { appId: app.id, kind: 'deployment', id });
    expect(new Set(ofDeployments.hints.map(({ kind }) => kind))).toEqual(new Set(['deployment']));
  });

  it('get no hints about an app that their teams and tokens do not cover any more', async () => {
    const other = await createApp(tenant);
    const member = await createMember(tenant, 'member');
    const token = await createToken(app.api, { appIds: [app.id] });
    const streams = [await openAs(member.api), await openAs(token.api)];
    const team = await createTeam(tenant);
    await assignApp(tenant, team, other.id);
    await assignMember(tenant, team, member.memberId);
    await app.api.patch(`/v1/tokens/${token.id}`, { appIds: [other.id] });
    await pause();
    await pause(other);
    for (const stream of streams) {
      await expectHint(stream, ofChannel(other));
      expect(stream.hints.filter(({ appId }) => appId === app.id)).toEqual([]);
    }
  });

  it('lose their stream with their rights, without another hint', async () => {
    const [billing, leaver] = [await createMember(tenant, 'member'), await createMember(tenant, 'member')];
    const [disabled, visitor] = [await createMember(tenant, 'member'), await createMember(tenant, 'member')];
    const token = await createToken(app.api);
    const session = new Api(origin, await createDeviceSession(visitor.userId));
    const apis = [billing.api, leaver.api, disabled.api, token.api, session];
    const streams = await Promise.all(apis.map((api) => openAs(api)));
    await sql(`UPDATE members SET role = 'billing' WHERE id = $1`, [billing.memberId]);
    await sql('DELETE FROM members WHERE id = $1', [leaver.memberId]);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    await sql('DELETE FROM tokens WHERE id = $1', [token.id]);
    await sql('DELETE FROM sessions WHERE user_id = $1', [visitor.userId]);
    await pause();
    await Promise.all(streams.map(expectEnd));
    expect(streams.flatMap(({ hints }) => hints).filter(({ kind }) => kind === 'channel')).toEqual([]);
  });

  it('lose it within seconds, also when nothing happens', async () => {
    const member = await createMember(tenant, 'member');
    const [ends, stays] = [await openAs(member.api), await openAs(app.api)];
    await sql(`UPDATE members SET role = 'billing' WHERE id = $1`, [member.memberId]);
    await expectEnd(ends);
    expect(stays.hasEnded).toBe(false);
  });

  it('need the organization and the permission', async () => {
    const { api } = await createActor();
    expectError(await api.get(path), 404, 'organization_not_found');
    const billing = await createMember(tenant, 'billing');
    expectError(await billing.api.get(path), 403, 'not_authorized');
    const token = await createToken(app.api, { permissions: ['apps:read'] });
    expectError(await token.api.get(path), 403, 'token_limited');
    expectError(await app.api.get('/v1/organizations/nonsense/changes'), 404, 'organization_not_found');
  });

  it('have 20 streams, apart from the requests that wait for events', async () => {
    await Promise.all(Array.from({ length: 20 }, () => openAs(app.api)));
    const refused = await app.api.get(path);
    const { message } = expectError(refused, 429, 'rate_limited');
    expect(message).toBe(
      '20 streams of changes of your user are open already. Try again in 5 seconds, or poll.',
    );
    expect(refused.headers['retry-after']).toBe('5');
    expect((await requestEvents(app.api, tenant.organizationId, { wait: 1, types: PAUSED })).status).toBe(
      200,
    );
    open.pop()?.close();
    await eventually(async () => expect((await app.api.request('head', path)).status).toBe(200));
  });
});

it('reads many events at once', async () => {
  const recorder = await EventRecorder.create();
  const stream = await openAs(app.api);
  const { organizationId } = tenant;
  const channels = await Promise.all(Array.from({ length: 30 }, () => createChannel(app)));
  await recorder.record(
    Array.from({ length: 700 }, (_, index) => {
      return { organizationId, appId: app.id, type: PAUSED, objectId: channels[index % 30]?.id ?? '' };
    }),
  );
  for (const { id } of channels) await expectHint(stream, { appId: app.id, kind: 'channel', id });
});
