import { createApp, type TestApp } from '../../builders/app.js';
import { createDestination } from '../../builders/destination.js';
import { type Actor, createMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { createAppleDestination } from '../../support/stores/store-builds.js';

const DAY = 86_400_000;
const windowFrom = (from: number, to: number) => ({
  from: new Date(Date.now() + from * DAY).toISOString(),
  to: new Date(Date.now() + to * DAY).toISOString(),
  reason: null,
});

let app: TestApp;
let member: Actor;
let admin: Actor;
beforeEach(async () => {
  app = await createApp();
  [member, admin] = await Promise.all([
    createMember(app.tenant, 'member'),
    createMember(app.tenant, 'admin'),
  ]);
});

const pathOf = (id?: string): string => `${app.path}/destinations${id === undefined ? '' : `/${id}`}`;
const place = { platform: 'android', androidPackageName: 'com.example.app', googlePlayTrack: 'production' };
const change = (who: Actor, id: string, body: object) => who.api.patch(pathOf(id), body);
const make = (who: Actor, body: object) => who.api.post(pathOf(), { name: 'Another', ...place, ...body });

it('gets approvals and freeze windows from admins alone', async () => {
  const { id } = await createDestination(app);
  for (const policy of [{ requiredApprovals: 1 }, { freezeWindows: [] }, { requiredApprovals: null }]) {
    expectError(await change(member, id, policy), 403, 'not_authorized');
    expectError(await make(member, policy), 403, 'not_authorized');
  }
  const freezeWindows = [windowFrom(1, 2)];
  const { status, body } = await change(admin, id, { requiredApprovals: 5, freezeWindows });
  expect(status).toBe(200);
  expect(body).toMatchObject({ requiredApprovals: 5, freezeWindows });
  expect((await change(member, id, { defaultLanguage: 'de-DE' })).status).toBe(200);
});

it('refuses windows that end before they begin', async () => {
  const { id } = await createDestination(app);
  const freezeWindows = [windowFrom(1, 2), windowFrom(2, 1)];
  expectInvalid(await change(admin, id, { freezeWindows }), 'freezeWindows.1.to');
  expectInvalid(await change(admin, id, { requiredApprovals: 6 }), 'requiredApprovals');
});

it('needs a token that may govern', async () => {
  const { id } = await createDestination(app);
  const { api } = await createToken(admin.api, { permissions: ['destinations:write'] });
  expectError(await api.patch(pathOf(id), { requiredApprovals: 1 }), 403, 'token_limited');
});

describe.each([
  ['approvals', () => ({ requiredApprovals: 1 })],
  ['a freeze', () => ({ freezeWindows: [windowFrom(-1, 1)] })],
  ['a freeze to come', () => ({ freezeWindows: [windowFrom(1, 2)] })],
])('a destination with %s', (_what, policy) => {
  let id: string;
  let name: string;
  beforeEach(async () => {
    ({ id, name } = await createDestination(app, { ...place, ...policy() }));
  });

  it('is renamed, moved and deleted by admins alone', async () => {
    for (const values of [
      { name: 'Old' },
      { googlePlayTrack: 'beta' },
      { androidPackageName: 'com.example.b' },
    ]) {
      expectError(await change(member, id, values), 403, 'not_authorized');
    }
    expectError(await member.api.delete(pathOf(id)), 403, 'not_authorized');
    const byName = `${pathOf()}?name=${encodeURIComponent(name)}`;
    expectError(await member.api.delete(byName), 403, 'not_authorized');
    const same = {
      name: name.toUpperCase(),
      googlePlayTrack: 'production',
      androidReleaseStatus: 'completed',
    };
    expect((await change(member, id, same)).status).toBe(200);
    expect((await change(admin, id, { name: 'Old', googlePlayTrack: 'beta' })).status).toBe(200);
    expect((await admin.api.delete(pathOf(id))).status).toBe(204);
  });

  it('is the only one of members that leads to its place', async () => {
    const refused = expectError(await make(member, {}), 403, 'not_authorized');
    expect(refused.message).toMatch(
      new RegExp(
        `^The destination ${name} leads to the same place, and has approvals, a freeze or allowed branches: use it`,
      ),
    );
    const made = await make(member, { googlePlayTrack: 'internal' });
    expect(made.status).toBe(201);
    const other = (made.body as { id: string }).id;
    expectError(await change(member, other, { googlePlayTrack: 'production' }), 403, 'not_authorized');
    expect((await change(member, other, { googlePlayTrack: 'beta', name: 'Beta' })).status).toBe(200);
    expect((await change(admin, other, { googlePlayTrack: 'production' })).status).toBe(200);
    expect((await change(member, other, { androidReleaseStatus: 'completed' })).status).toBe(200);
  });
});

it('leads to no place of its own once its freeze is over', async () => {
  const { id } = await createDestination(app, { ...place, freezeWindows: [windowFrom(-2, -1)] });
  expect((await make(member, {})).status).toBe(201);
  expect((await change(member, id, { name: 'Old' })).status).toBe(200);
});

it('knows the App Store from TestFlight', async () => {
  const values = { appleSubmitForReview: true, appleAppId: '1234567890', requiredApprovals: 1 };
  const { id } = await createAppleDestination(app, values);
  const body = { name: 'Another', platform: 'ios' };
  const review = { appleSubmitForReview: true };
  for (const appleAppId of [null, '1234567890']) {
    const made = await member.api.post(pathOf(), { ...body, ...review, appleAppId });
    expectError(made, 403, 'not_authorized');
  }
  const other = await member.api.post(pathOf(), { ...body, ...review, appleAppId: '2222222222' });
  expect(other.status).toBe(201);
  const testFlight = await member.api.post(pathOf(), { ...body, name: 'TestFlight' });
  expect(testFlight.status).toBe(201);
  const { id: testFlightId } = testFlight.body as { id: string };
  expectError(await change(member, testFlightId, review), 403, 'not_authorized');
  expectError(await change(member, id, { appleSubmitForReview: false }), 403, 'not_authorized');
  expectError(await change(member, id, { appleAppId: null }), 403, 'not_authorized');
});
