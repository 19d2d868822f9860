import { generateKeyPairSync } from 'node:crypto';
import type { DestinationVerificationDto } from '../../../src/app-submissions/destination-checks/destination-check.dto.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { uploadStoreKey } from '../../builders/store-key.js';
import { createToken } from '../../builders/token.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import type { OwnSite } from '../../support/servers/own-site.js';
import { AppleSite } from '../../support/stores/apple-submissions.js';
import type { ApiKeyFile } from '../../support/stores/app-store-connect/api-keys.js';
import type { AppStoreConnect } from '../../support/stores/app-store-connect/app-store-connect.js';
import { addGroup } from '../../support/stores/app-store-connect/state/connect-state.js';
import { createAppleDestination } from '../../support/stores/store-builds.js';

const ALL_OK = ['configuration ok', 'sign_in ok', 'agreements ok', 'app ok', 'role ok', 'groups ok'];

let appleSite: AppleSite;
let connect: AppStoreConnect;
let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  appleSite = await AppleSite.start();
  ({ connect, site } = appleSite);
  tenant = await createTenant(site);
});
afterAll(async () => {
  await appleSite.dispose();
});
beforeEach(async () => {
  await connect.clear();
  app = await createApp(tenant);
});

/** A destination that signs in with a key of the stand-in. */
async function destinationWith(key: ApiKeyFile = connect.addKey(), fields: object = {}): Promise<string> {
  const uploaded = expectCreated<{ id: string }>(await uploadStoreKey(app, 'apple-api-keys', key.p8));
  const values = { appAppleApiKeyId: uploaded.id, appleApiKeyId: key.keyId, appleIssuerId: key.issuerId };
  return (await createAppleDestination(app, { ...values, ...fields })).id;
}

async function verify(id: string): Promise<DestinationVerificationDto> {
  const response = await app.api.post(`${app.path}/destinations/${id}/verify`);
  expect(response.status).toBe(200);
  return response.body as DestinationVerificationDto;
}

const shortOf = ({ checks }: DestinationVerificationDto): string[] =>
  checks.map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`);
const messageOf = ({ checks }: DestinationVerificationDto, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.message;

/** What verification says about the only check that is not ok. */
async function failureOf(id: string): Promise<DestinationVerificationDto['checks'][number]> {
  const found = await verify(id);
  expect(found.ok).toBe(false);
  const [only, ...others] = found.checks.filter(({ ok }) => !ok);
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('No check failed.');
  return only;
}

it('says that everything is there, and changes nothing', async () => {
  const groups = { Team: 'internal', Beta: 'external' } as const;
  const shop = connect.addApp({ name: 'Shop', bundleId: 'com.example.shop', groups });
  const fields = { appleAppId: shop.id, appleBetaGroups: ['Team', 'Beta'] };
  const found = await verify(await destinationWith(undefined, fields));
  expect(shortOf(found)).toEqual(ALL_OK);
  expect(found).toMatchObject({ ok: true, accountEmail: null });
  expect(found.apps).toEqual([
    { appleAppId: shop.id, name: 'Shop', bundleId: 'com.example.shop', isMatch: true },
  ]);
  expect(messageOf(found, 'app')).toContain('com.example.shop');
  expect(messageOf(found, 'role')).toContain('only a submission shows');
  expect(messageOf(found, 'groups')).toMatch(/groups Team, Beta\..*beta review/);
  expect(connect.calls.every(({ method }) => method === 'GET')).toBe(true);
});

it('signs in with the key of one user, which has no issuer', async () => {
  const { id: appleAppId } = connect.addApp();
  const found = await verify(await destinationWith(connect.addKey({ isIndividual: true }), { appleAppId }));
  expect(shortOf(found)).toEqual(ALL_OK);
  expect(messageOf(found, 'configuration')).toMatch(/no appleIssuerId, so the key must be an individual/);
  expect(messageOf(found, 'groups')).toMatch(/names no TestFlight groups/);
});

it.each([
  [{ appAppleApiKeyId: null }, /need appAppleApiKeyId: set it/],
  [{ appleApiKeyId: null }, /need appleApiKeyId: set it/],
  [{ appAppleApiKeyId: null, appleApiKeyId: null }, /need appAppleApiKeyId, appleApiKeyId: set them/],
  [
    { appAppleApiKeyId: null, appleId: 'ada@example.com' },
    /does not sign in with an Apple ID: create an API/,
  ],
])('sends nothing with %o', async (fields, message) => {
  const found = await verify(await destinationWith(undefined, fields));
  expect(shortOf(found)).toEqual(['configuration failed']);
  expect(messageOf(found, 'configuration')).toMatch(message);
  expect(connect.calls).toEqual([]);
});

it('checks a destination for the App Store as one for TestFlight', async () => {
  const { id: appleAppId } = connect.addApp();
  const id = await destinationWith(undefined, { appleAppId, appleSubmitForReview: true });
  expect(shortOf(await verify(id))).toEqual(ALL_OK);
});

describe('a key that Apple does not accept', () => {
  const otherKey = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string;

  it.each([
    [
      'is revoked',
      () => {
        const key = connect.addKey();
        connect.keys.revoke(key.keyId);
        return key;
      },
    ],
    ['is another one than its id says', () => ({ ...connect.addKey(), p8: otherKey() })],
    ['has an unknown id', () => ({ ...connect.addKey(), keyId: 'ZZ9R4HXF34' })],
    ['has the issuer of another team', () => ({ ...connect.addKey(), issuerId: connect.addTeam().id })],
  ])('%s: check clock and key', async (_what, make) => {
    connect.addApp();
    const id = await destinationWith(make());
    expect(shortOf(await verify(id))).toEqual(['configuration ok', 'sign_in failed']);
    const { message, link, storeMessage } = await failureOf(id);
    expect(message).toMatch(/clock and the key/);
    expect(message).not.toContain('If the key is one of the team');
    expect([link, storeMessage]).toEqual([
      expect.stringMatching(/^https:/),
      expect.stringMatching(/NOT_AUTHORIZED|credentials/),
    ]);
  });

  it('lacks its issuer', async () => {
    const id = await destinationWith({ ...connect.addKey(), issuerId: null });
    expect((await failureOf(id)).message).toMatch(/clock and the key.* it needs appleIssuerId as well/);
  });

  it.each([
    [25, /25 minutes behind Apple's/],
    [-10, /10 minutes ahead of Apple's/],
  ])('while its clock is %i minutes ahead of this one', async (minutes, message) => {
    connect.addApp();
    const id = await destinationWith();
    connect.keys.clockOffset = minutes * 60_000;
    const { name, message: said } = await failureOf(id);
    expect([name, said]).toEqual(['sign_in', expect.stringMatching(message)]);
    connect.keys.clockOffset = 10 * 60_000;
    expect((await verify(id)).ok).toBe(true);
  });
});

it('names missing agreements of the team, and a role that is too low', async () => {
  const { id: appleAppId } = connect.addApp();
  const id = await destinationWith(undefined, { appleAppId });
  connect.refuse('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', { call: 'apps' });
  const unsigned = await verify(id);
  expect(shortOf(unsigned)).toEqual(['configuration ok', 'sign_in ok', 'agreements failed']);
  expect(messageOf(unsigned, 'agreements')).toMatch(/Account Holder/);
  connect.refuse('no active membership', { call: 'apps' });
  expect(shortOf(await verify(id)).at(-1)).toBe('agreements failed');
  for (const call of ['apps', 'appBuildUploads', 'betaGroups'] as const) {
    connect.refuse('FORBIDDEN_ERROR', { call });
    const low = await verify(id);
    expect(shortOf(low).at(-1)).toBe('role failed');
    expect(messageOf(low, 'role')).toContain('App Manager');
  }
});

describe('the app', () => {
  it('of another team is hidden, and those that the key can see are listed', async () => {
    const theirs = connect.addApp({ team: connect.addTeam() });
    const own = connect.addApp({ name: 'Own' });
    const id = await destinationWith(undefined, { appleAppId: theirs.id });
    const found = await verify(id);
    expect(shortOf(found)).toEqual(['configuration ok', 'sign_in ok', 'agreements ok', 'app failed']);
    expect(messageOf(found, 'app')).toContain('appleAppId');
    expect(found.apps).toMatchObject([{ appleAppId: own.id, name: 'Own', isMatch: false }]);
  });

  it('is that of the ipa unless the destination names one', async () => {
    const id = await destinationWith();
    expect((await failureOf(id)).message).toMatch(/can see no app\. Create the app/);
    connect.addApp();
    const found = await verify(id);
    expect(shortOf(found)).toEqual(ALL_OK.slice(0, 4));
    expect(found.apps).toMatchObject([{ isMatch: false }]);
    expect(messageOf(found, 'app')).toMatch(/bundle id of the ipa decides\. Set appleAppId/);
  });

  it('is that of the last submission unless the destination names one', async () => {
    const shop = await appleSite.app('com.example.shop', { tenant });
    connect.addApp({ bundleId: 'com.example.shop.watch' });
    const { jobId } = await shop.deploy(await shop.build('1.0', '1'));
    await shop.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
    const check = async (): Promise<DestinationVerificationDto> =>
      (await shop.app.api.post(`${shop.app.path}/destinations/${shop.destinationId}/verify`))
        .body as DestinationVerificationDto;
    const found = await check();
    expect(shortOf(found)).toEqual(ALL_OK);
    expect(found.apps[0]).toMatchObject({ appleAppId: shop.apple.id, isMatch: true });
    connect.state.apps.delete(shop.apple.id);
    const gone = await check();
    expect(shortOf(gone)).toEqual([...ALL_OK.slice(0, 3), 'app failed']);
    expect(messageOf(gone, 'app')).toContain('no app with the bundle id com.example.shop,');
    expect(gone.apps).toMatchObject([{ bundleId: 'com.example.shop.watch', isMatch: false }]);
  });

  it('comes first of more than 20', async () => {
    for (let number = 1; number <= 30; number++) connect.addApp({ bundleId: `com.example.app${number}` });
    const { id: appleAppId } = connect.app('com.example.app30');
    const { ok, apps } = await verify(await destinationWith(undefined, { appleAppId }));
    expect(ok).toBe(true);
    expect(apps).toHaveLength(21);
    expect(apps.filter(({ isMatch }) => isMatch)).toEqual([apps[0]]);
    expect(apps[0]).toMatchObject({ appleAppId, bundleId: 'com.example.app30' });
    expect((await verify(await destinationWith())).apps).toHaveLength(20);
  });
});

describe('TestFlight groups', () => {
  it('are compared exactly', async () => {
    const { id: appleAppId } = connect.addApp({ groups: { Team: 'internal', 'Team 2': 'external' } });
    const id = await destinationWith(undefined, { appleAppId, appleBetaGroups: ['team', 'Team', 'Beta'] });
    const { name, message } = await failureOf(id);
    expect(name).toBe('groups');
    expect(message).toBe(
      'The app has no TestFlight group team, Beta. It has Team, Team 2: names are compared exactly, and the store has "Team" in another case.',
    );
  });

  it('are none, many, or several with one name', async () => {
    const shop = connect.addApp();
    const fields = { appleAppId: shop.id, appleBetaGroups: ['Beta'] };
    const id = await destinationWith(undefined, fields);
    expect((await failureOf(id)).message).toMatch(/It has none/);
    for (let number = 1; number <= 250; number++) addGroup(shop, `Group ${number}`, 'external');
    expect((await failureOf(id)).message).toMatch(/Group 10 and 240 more/);
    addGroup(shop, 'Beta', 'external');
    expect((await verify(id)).ok).toBe(true);
    addGroup(shop, 'Beta', 'internal');
    expect((await failureOf(id)).message).toMatch(/several TestFlight groups Beta: rename/);
  });
});

it.each(['cut', 'html', 'truncated', 'wrong-types', 'empty', 'redirect', 'endless'] as const)(
  'stays an answer when Apple gives %s',
  async (kind) => {
    const { id: appleAppId } = connect.addApp();
    const id = await destinationWith(undefined, { appleAppId });
    for (const [call, check] of [
      ['apps', 'sign_in'],
      ['app', 'app'],
      ['appBuildUploads', 'role'],
      ['betaGroups', 'role'],
    ] as const) {
      connect.fail(kind, { call });
      const { name, message } = await failureOf(id);
      expect([call, name]).toEqual([call, check]);
      expect(message).toMatch(/\.$/);
      expect(message).not.toMatch(/eyJ|PRIVATE/);
    }
    expect((await verify(id)).ok).toBe(true);
  },
);

it('says that Apple takes no more calls of the key for now', async () => {
  connect.addApp();
  const id = await destinationWith();
  connect.refuse('RATE_LIMIT_EXCEEDED', { call: 'apps' });
  const { name, message } = await failureOf(id);
  expect([name, message]).toEqual(['sign_in', expect.stringMatching(/number of calls/)]);
});

it('needs destinations:write, of this organization', async () => {
  connect.addApp();
  const id = await destinationWith();
  const path = `${app.path}/destinations/${id}/verify`;
  const { token } = await createToken(app.api, { permissions: ['destinations:read'] });
  expectError(await new Api(site.origin, token).post(path), 403);
  const stranger = await createApp(await createTenant(site));
  expectError(await stranger.api.post(path), 404);
  const theirs = `${stranger.path}/destinations/${id}/verify`;
  expectError(await stranger.api.post(theirs), 404, 'destination_not_found');
  expect(connect.calls).toEqual([]);
});
