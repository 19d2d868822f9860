import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

/** Where a call comes from, as a proxy states it. */
interface From {
  readonly address?: string;
  readonly country?: string;
}

let behindProxy: ServerProcess;
beforeAll(async () => {
  const { databaseUrl, dataDir } = testEnvironment();
  behindProxy = await startServer({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    TRUST_PROXY: 'loopback',
    COUNTRY_HEADER: 'CF-IPCountry',
  });
});
afterAll(() => behindProxy.stop());

function call(
  app: TestApp,
  from: From,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
): Promise<Response> {
  const request = new Api(behindProxy.origin, app.api.token).request(method, path);
  if (from.address !== undefined) void request.set('X-Forwarded-For', from.address);
  if (from.country !== undefined) void request.set('CF-IPCountry', from.country);
  return Promise.resolve(body === undefined ? request : request.send(body));
}

const office = { address: '203.0.113.7', country: 'DE' };

async function restricted(lists: object): Promise<{ app: TestApp; organization: string }> {
  const app = await createApp();
  const organization = `/v1/organizations/${app.tenant.organizationId}`;
  const response = await call(app, office, 'patch', organization, lists);
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject(lists);
  return { app, organization };
}

/** Every kind of way to the data of the organization. */
async function expectRefused(app: TestApp, organization: string, from: From, code: string): Promise<void> {
  const id = app.tenant.organizationId;
  for (const [method, path, body] of [
    ['get', organization],
    ['patch', organization, { name: 'x' }],
    ['delete', organization],
    ['get', `${organization}/members`],
    ['post', `${organization}/invitations`, { email: 'a@example.com', role: 'member' }],
    ['post', `${organization}/leave`],
    ['get', app.path],
    ['patch', app.path, { name: 'x' }],
    ['get', `${app.path}/channels`],
    ['post', `${app.path}/channels`, { name: 'x' }],
    ['get', `/v1/apps?organizationId=${id}`],
    ['post', `/v1/apps?organizationId=${id}`, { name: 'x' }],
  ] as const) {
    expectError(await call(app, from, method, path, body), 403, code);
  }
  for (const list of ['/v1/apps', '/v1/organizations']) {
    expect((await call(app, from, 'get', list)).body).toEqual([]);
  }
}

async function expectAllowed(app: TestApp, organization: string, from: From): Promise<void> {
  for (const path of [organization, `${organization}/members`, app.path, `${app.path}/channels`]) {
    expect((await call(app, from, 'get', path)).status).toBe(200);
  }
  for (const list of ['/v1/apps', '/v1/organizations']) {
    expect((await call(app, from, 'get', list)).body).toHaveLength(1);
  }
}

it('lets members in from the addresses of the list alone', async () => {
  const { app, organization } = await restricted({ ipAllowlist: ['203.0.113.0/24', '2001:db8::/48'] });
  for (const address of ['203.0.113.7', '203.0.113.255', '2001:db8::1', '198.51.100.1, 203.0.113.9']) {
    await expectAllowed(app, organization, { address });
  }
  for (const address of ['198.51.100.1', '2001:db9::1', '203.0.113.9, 198.51.100.1', 'nonsense']) {
    await expectRefused(app, organization, { address }, 'address_not_allowed');
  }
  expect((await call(app, office, 'patch', organization, { ipAllowlist: null })).status).toBe(200);
  await expectAllowed(app, organization, { address: '198.51.100.1' });
});

it('lets members in from the countries of the list alone', async () => {
  const { app, organization } = await restricted({ countryAllowlist: ['DE', 'AT'] });
  for (const country of ['DE', 'AT', 'de']) await expectAllowed(app, organization, { country });
  for (const country of ['FR', 'XX', 'T1', '', 'DE, AT', 'DEU']) {
    await expectRefused(app, organization, { country }, 'country_not_allowed');
  }
  await expectRefused(app, organization, {}, 'country_not_allowed');
});

it('keeps devices out of it', async () => {
  const { app } = await restricted({ ipAllowlist: ['203.0.113.0/24'], countryAllowlist: ['DE'] });
  const device = new Api(testEnvironment().origin, null);
  const check = '?appVersionCode=1&appVersionName=1&osVersion=1&platform=0&pluginVersion=8.0.0&deviceId=x';
  expectError(await device.get(`${app.path}/bundles/latest${check}`), 404, 'no_update');
});

it('believes no one but the trusted proxy', async () => {
  const { app, organization } = await restricted({ countryAllowlist: ['DE'] });
  const direct = app.api.request('get', organization).set('CF-IPCountry', 'DE');
  expectError(await direct.set('X-Forwarded-For', office.address), 403, 'country_not_allowed');
});

it('does not let callers lock themselves out', async () => {
  const app = await createApp();
  const organization = `/v1/organizations/${app.tenant.organizationId}`;
  const patch = (body: object, from: From = office): Promise<Response> =>
    call(app, from, 'patch', organization, body);
  expectInvalid(await patch({ ipAllowlist: ['198.51.100.0/24'] }), 'ipAllowlist');
  expectInvalid(await patch({ ipAllowlist: [] }), 'ipAllowlist');
  expectInvalid(await patch({ countryAllowlist: ['FR'] }), 'countryAllowlist');
  expectInvalid(await patch({ countryAllowlist: ['DE'] }, { address: office.address }), 'countryAllowlist');
  for (const entry of [
    '203.0.113.0/33',
    '2001:db8::/129',
    '203.0.113',
    'x',
    '203.0.113.0/-1',
    '1.2.3.4/8/8',
    '',
  ]) {
    expectInvalid(await patch({ ipAllowlist: ['203.0.113.7', entry] }), 'ipAllowlist');
  }
  for (const code of ['D', 'DEU', 'XX', 5]) {
    expectInvalid(await patch({ countryAllowlist: ['DE', code] }), 'countryAllowlist');
  }
  expect((await patch({ countryAllowlist: ['de'], ipAllowlist: ['203.0.113.7'] })).body).toMatchObject({
    countryAllowlist: ['DE'],
  });
});

it('holds for the organization alone', async () => {
  const { app } = await restricted({ ipAllowlist: ['203.0.113.0/24'] });
  const other = await createTenant();
  expect((await other.owner.api.get(`/v1/organizations/${other.organizationId}`)).status).toBe(200);
  expect((await app.api.get('/v1/users/me')).status).toBe(200);
  expect((await app.api.post('/v1/organizations', { name: 'Mine' })).status).toBe(201);
});
