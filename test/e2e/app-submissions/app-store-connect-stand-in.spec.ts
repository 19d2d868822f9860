import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApiKeyFile } from '../../support/stores/app-store-connect/api-keys.js';
import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../support/stores/app-store-connect/app-store-connect.js';
import {
  ConnectCaller,
  type ConnectResponse,
  errorOf,
} from '../../support/stores/app-store-connect/connect-caller.js';
import { REFUSALS, type RefusalName } from '../../support/stores/app-store-connect/refusals.js';
import { addBuild, type Build } from '../../support/stores/app-store-connect/state/builds.js';
import type { AppleApp, BetaGroup } from '../../support/stores/app-store-connect/state/connect-state.js';

const BUNDLE_ID = 'com.example.app';

let connect: AppStoreConnect;
let key: ApiKeyFile;
let caller: ConnectCaller;
let app: AppleApp;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  key = connect.addKey();
  caller = new ConnectCaller(connect, key);
});
afterAll(() => connect.stop());

beforeEach(async () => {
  await connect.clear();
  app = connect.addApp({
    bundleId: BUNDLE_ID,
    groups: { Team: 'internal', Public: 'external', All: 'all-builds' },
  });
});

/** A build that Apple has processed. */
const build = (values: Partial<Build> = {}): Build =>
  addBuild(app, { version: '1.4.0', buildNumber: '42', usesNonExemptEncryption: false, ...values });

describe('sign-in', () => {
  const seconds = Math.floor(Date.now() / 1000);
  test.each([
    ['another audience', { aud: 'example' }, {}],
    ['another issuer', { iss: '57246542-96fe-1a63-e053-0824d011072a' }, {}],
    ['more than 20 minutes', { exp: seconds + 1300 }, {}],
    ['an end in the past', { exp: seconds - 1 }, {}],
    ['a beginning in the future', { iat: seconds + 120 }, {}],
    ['no issuer', { iss: undefined, sub: 'user' }, {}],
    ['an unknown key', {}, { kid: 'ABCDE12345' }],
  ])('refuses %s', async (_, claims, header) => {
    const response = await caller.call(
      'GET',
      '/apps',
      undefined,
      await caller.token(claims as Record<string, never>, header),
    );
    expect(errorOf(response)).toEqual([401, 'NOT_AUTHORIZED', undefined]);
  });

  test('knows the keys of a person, and no revoked ones', async () => {
    const own = connect.addKey({ isIndividual: true });
    const person = new ConnectCaller(connect, own);
    expect((await person.call('GET', '/apps')).body.data).toHaveLength(1);
    const withIssuer = await person.token({ iss: key.issuerId ?? '' });
    expect((await person.call('GET', '/apps', undefined, withIssuer)).status).toBe(401);
    connect.keys.revoke(own.keyId);
    expect((await person.call('GET', '/apps')).status).toBe(401);
  });

  test('goes by a clock of its own, which answers show', async () => {
    connect.keys.clockOffset = -600_000;
    const response = await caller.call(
      'GET',
      '/apps',
      undefined,
      await caller.token({ exp: seconds + 1100 }),
    );
    expect(response.status).toBe(401);
    const behind = Date.now() - Date.parse(response.headers.get('date') ?? '');
    expect(Math.round(behind / 60_000)).toBe(10);
  });

  test('other teams do not see an app, and no role does more than it may', async () => {
    const stranger = new ConnectCaller(connect, connect.addKey({ team: connect.addTeam() }));
    expect(errorOf(await stranger.call('GET', `/apps/${app.id}`))).toEqual([404, 'NOT_FOUND', undefined]);
    expect((await stranger.call('GET', '/apps')).body.data).toEqual([]);
    expect((await stranger.createUpload(app.id, '1.0', '1')).status).toBe(409);
    const marketing = new ConnectCaller(connect, connect.addKey({ role: 'MARKETING' }));
    expect((await marketing.call('GET', '/apps')).status).toBe(200);
    expect(errorOf(await marketing.createUpload(app.id, '1.0', '1'))).toEqual([
      403,
      'FORBIDDEN_ERROR',
      undefined,
    ]);
    const developer = new ConnectCaller(connect, connect.addKey({ role: 'DEVELOPER' }));
    expect((await developer.createUpload(app.id, '1.0', '1')).status).toBe(201);
    const { id } = build({ review: { id: '1', submittedAt: new Date(), state: 'APPROVED' } });
    const [team, outsiders] = app.groups as [BetaGroup, BetaGroup];
    expect((await developer.addToGroup(outsiders.id, id)).status).toBe(403);
    expect((await developer.addToGroup(team.id, id)).status).toBe(204);
  });

  test('an agreement can be missing', async () => {
    app.team.lacksAgreement = true;
    const code = 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED';
    expect(errorOf(await caller.call('GET', '/apps'))).toEqual([403, code, undefined]);
  });
});

describe('queries', () => {
  test('a filter finds more than it was asked for', async () => {
    connect.addApp({ bundleId: `${BUNDLE_ID}.beta` });
    const { data } = (await caller.call('GET', `/apps?filter[bundleId]=${BUNDLE_ID}`)).body;
    expect(data.map(({ attributes }) => attributes['bundleId'])).toEqual([BUNDLE_ID, `${BUNDLE_ID}.beta`]);
    const groups = await caller.call('GET', `/betaGroups?filter[app]=${app.id}&filter[name]=a`);
    expect(groups.body.data).toHaveLength(2);
  });

  test('lists have pages, and can have no end', async () => {
    for (let number = 1; number <= 4; number++) connect.addApp({ bundleId: `com.example.number${number}` });
    const first = await caller.call('GET', '/apps?limit=3');
    expect([first.body.data.length, first.body.meta.paging.total]).toEqual([3, 5]);
    const next = first.body.links.next.replace(`${connect.url}/v1`, '');
    const second = await caller.call('GET', next);
    expect([second.body.data.length, second.body.links.next]).toEqual([2, undefined]);
    connect.hasEndlessPages = true;
    const endless = (await caller.call('GET', next)).body.links.next.replace(`${connect.url}/v1`, '');
    expect((await caller.call('GET', endless)).body.links.next).toContain(endless);
  });

  test('relationships have data only when they are included, and fields are those that were asked for', async () => {
    const { id } = build();
    const plain = (await caller.call('GET', `/builds/${id}`)).body.data;
    expect(plain.relationships['preReleaseVersion']?.data).toBeUndefined();
    const query = 'include=preReleaseVersion&fields[builds]=version,preReleaseVersion';
    const { data, included } = (await caller.call('GET', `/builds/${id}?${query}`)).body;
    expect([data.attributes, Object.keys(data.relationships)]).toEqual([
      { version: '42' },
      ['preReleaseVersion'],
    ]);
    expect(included).toMatchObject([
      { type: 'preReleaseVersions', attributes: { version: '1.4.0', platform: 'IOS' } },
    ]);
  });

  test.each([
    ['/apps?filter[owner]=1', 'ILLEGAL', 'filter[owner]'],
    ['/apps?fields[apps]=colour', 'INVALID', 'fields[apps]'],
    ['/apps?limit=201', 'INVALID', 'limit'],
    ['/apps?include=builds', 'ILLEGAL', 'include'],
    ['/apps/1/betaGroups?filter[name]=Team', 'ILLEGAL', 'filter[name]'],
    ['/apps/1/appStoreVersions?sort=versionString', 'ILLEGAL', 'sort'],
    ['/builds?filter[processingState]=DONE', 'INVALID', 'filter[processingState]'],
    ['/builds?include=owner', 'INVALID', 'include'],
    ['/betaAppReviewSubmissions', 'REQUIRED', 'filter[build]'],
    ['/apps?cursor=nothing', 'INVALID', 'cursor'],
  ])('refuse %s', async (path, code, parameter) => {
    expect(errorOf(await caller.call('GET', path))).toEqual([400, `PARAMETER_ERROR.${code}`, parameter]);
  });

  test('what the document does not name does not exist', async () => {
    expect(errorOf(await caller.call('GET', '/toys'))).toEqual([404, 'NOT_FOUND', undefined]);
    expect((await caller.call('DELETE', '/apps/1')).status).toBe(404);
  });
});

describe('bodies', () => {
  const upload = (data: object): Promise<ConnectResponse> => caller.call('POST', '/buildUploads', { data });
  const attributes = { cfBundleShortVersionString: '1.0', cfBundleVersion: '1', platform: 'IOS' };
  test.each([
    ['no attribute', { cfBundleVersion: undefined }, 'REQUIRED', 'cfBundleVersion'],
    ['an unknown attribute', { colour: 'red' }, 'UNKNOWN', 'colour'],
    ['another type', { cfBundleVersion: 1 }, 'TYPE', 'cfBundleVersion'],
    ['another platform', { platform: 'ANDROID' }, 'INVALID', 'platform'],
    ['words as a version', { cfBundleVersion: 'one' }, 'INVALID', 'cfBundleVersion'],
  ])('refuses %s', async (_, values, code, attribute) => {
    const relationships = { app: { data: { type: 'apps', id: app.id } } };
    const response = await upload({
      type: 'buildUploads',
      attributes: { ...attributes, ...values },
      relationships,
    });
    const pointer = `/data/attributes/${attribute}`;
    expect(errorOf(response)).toEqual([409, `ENTITY_ERROR.ATTRIBUTE.${code}`, pointer]);
  });

  test('refuse other types, missing relationships and JSON that is none', async () => {
    const { errors } = (await upload({ type: 'builds', attributes })).body;
    expect(errors?.map(({ code }) => code)).toEqual([
      'ENTITY_ERROR.TYPE_INVALID',
      'ENTITY_ERROR.RELATIONSHIP.REQUIRED',
    ]);
    expect((await caller.call('POST', '/buildUploads', '{')).status).toBe(400);
    const other = { data: { type: 'builds', id: 'other', attributes: {} } };
    expect(errorOf(await caller.call('PATCH', `/builds/${build().id}`, other))[0]).toBe(409);
  });
});

describe('rate limits', () => {
  test('are counted for each key, and every answer shows what is left', async () => {
    connect.rates.limit = 100;
    connect.rates.leave(key.keyId, 1);
    const allowed = await caller.call('GET', '/apps');
    expect([allowed.status, allowed.headers.get('x-rate-limit')]).toEqual([
      200,
      'user-hour-lim:100;user-hour-rem:0;',
    ]);
    const { status, headers, body } = await caller.call('GET', '/apps');
    expect([status, body.errors?.[0]?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await new ConnectCaller(connect, connect.addKey()).call('GET', '/apps')).status).toBe(200);
    connect.rates.exhaust(key.keyId, 40);
    expect((await caller.call('GET', '/apps')).headers.get('retry-after')).toMatch(/^(39|40)$/);
    expect(connect.countCalls(key.keyId)).toBe(3);
  });

  test('are those of bursts, too', async () => {
    connect.rates.burst = { calls: 2, within: 60_000 };
    connect.rates.sendsRetryAfter = false;
    const statuses = [];
    for (let calls = 0; calls < 3; calls++) {
      const { status, headers } = await caller.call('GET', '/apps');
      statuses.push([status, headers.get('retry-after')]);
    }
    expect(statuses).toEqual([
      [200, null],
      [200, null],
      [429, null],
    ]);
  });
});

describe('faults', () => {
  test('every refusal happens once, by its name', async () => {
    for (const [name, { error }] of Object.entries(REFUSALS)) {
      connect.refuse(name as RefusalName, { call: 'apps' });
      const { status, errors } = error();
      const response = await caller.call('GET', '/apps');
      expect([name, response.status, response.body.errors?.[0]?.code]).toEqual([
        name,
        status,
        errors[0]?.code,
      ]);
      expect((await caller.call('GET', '/apps')).status).toBe(200);
    }
  });

  test('an answer leads elsewhere, or is garbage', async () => {
    connect.fail('redirect');
    expect((await caller.call('GET', '/apps')).headers.get('location')).toBe('https://elsewhere.example/v1');
    connect.fail('wrong-types');
    expect(Array.isArray((await caller.call('GET', '/apps')).body.data)).toBe(false);
  });

  test('a call waits until it may go on', async () => {
    const held = connect.hold('apps');
    const answer = caller.call('GET', '/apps');
    await held.arrived;
    held.release();
    expect((await answer).status).toBe(200);
  });
});

test('it is a program, too, which is controlled over HTTP', async () => {
  const main = join(import.meta.dirname, '../../support/stores/app-store-connect/main.ts');
  const program = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
    const url = line.replace('APP_STORE_CONNECT_URL=', '');
    const post = async (path: string, body: object): Promise<Response> =>
      fetch(`${url}/admin/${path}`, { method: 'POST', body: JSON.stringify(body) });
    await post('apps', { bundleId: BUNDLE_ID, groups: { Team: 'internal' } });
    const made = await (await post('keys', {})).json();
    const other = new ConnectCaller({ url }, made as ApiKeyFile);
    await post('refuse', { refusal: 'UNEXPECTED_ERROR 503', call: 'apps' });
    expect((await other.call('GET', '/apps')).status).toBe(503);
    expect((await other.call('GET', '/apps')).body.data).toHaveLength(1);
    expect(await (await fetch(`${url}/admin/builds?bundleId=${BUNDLE_ID}`)).json()).toEqual([]);
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});
