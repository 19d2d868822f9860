import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { type Actor, createMember, setTwoFactor, type Tenant } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { createToken } from '../../builders/token.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

/** An app of an organization that requires a second factor, which its owner has. */
async function guarded(): Promise<{ app: TestApp; organization: string }> {
  const app = await createApp();
  const organization = `/v1/organizations/${app.tenant.organizationId}`;
  await setTwoFactor(app.tenant.owner, true);
  const response = await app.api.patch(organization, { twoFactorRequired: true });
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ twoFactorRequired: true });
  return { app, organization };
}

const listed = (response: Response): string[] => (response.body as { id: string }[]).map(({ id }) => id);

/** Every kind of way to the data of the organization. */
async function expectRefused(api: Api, app: TestApp, organization: string): Promise<void> {
  const id = app.tenant.organizationId;
  const refusals = [
    await api.get(organization),
    await api.patch(organization, { twoFactorRequired: false }),
    await api.delete(organization),
    await api.get(`${organization}/members`),
    await api.post(`${organization}/invitations`, { email: 'a@example.com', role: 'member' }),
    await api.get(`${organization}/license-keys`),
    await api.post(`${organization}/leave`),
    await api.get(app.path),
    await api.patch(app.path, { name: 'x' }),
    await api.get(`${app.path}/channels`),
    await api.post(`${app.path}/channels`, { name: 'x' }),
    await api.get(`/v1/apps?organizationId=${id}`),
    await api.post(`/v1/apps?organizationId=${id}`, { name: 'x' }),
  ];
  for (const refusal of refusals) {
    const { message } = expectError(refusal, 403, 'two_factor_required');
    expect(message).toContain('/settings/two-factor');
  }
  expect((await api.get('/v1/apps')).body).toEqual([]);
  // So that a client can see what is missing.
  expect((await api.get('/v1/organizations')).body).toMatchObject([{ id, twoFactorRequired: true }]);
}

async function expectAllowed(api: Api, app: TestApp, organization: string): Promise<void> {
  for (const path of [organization, `${organization}/members`, app.path, `${app.path}/channels`]) {
    expect((await api.get(path)).status).toBe(200);
  }
  expect(listed(await api.get('/v1/apps'))).toEqual([app.id]);
  expect(listed(await api.get('/v1/organizations'))).toEqual([app.tenant.organizationId]);
}

describe('an organization that requires a second factor', () => {
  it.each(['owner', 'admin', 'member'] as const)(
    'refuses a user without one who is %s, with every token',
    async (role) => {
      const { app, organization } = await guarded();
      const member = await createMember(app.tenant, role);
      const { api: limited } = await createToken(member.api, { permissions: 'all' });
      const session = new Api(app.api.origin, await createDeviceSession(member.userId));
      for (const api of [member.api, limited, session]) await expectRefused(api, app, organization);
      await setTwoFactor(member, true);
      await expectAllowed(session, app, organization);
      await expectAllowed(limited, app, organization);
      await setTwoFactor(member, false);
      await expectRefused(limited, app, organization);
    },
  );

  it('lets in who switches it on, and out who switches it off', async () => {
    const { app, organization } = await guarded();
    const person = await joined(app.tenant);
    const browser = await signedInBrowser(person);
    await expectRefused(person.api, app, organization);
    await enableTwoFactor(browser);
    await expectAllowed(person.api, app, organization);
    await browser.open('/settings/two-factor');
    await browser.submit('/settings/two-factor/disable', { password: PASSWORD });
    await expectRefused(person.api, app, organization);
  });

  it('does not concern devices, other organizations and what is the own', async () => {
    const { app, organization } = await guarded();
    const member = await createMember(app.tenant, 'admin');
    const device = new Api(testEnvironment().origin, null);
    const check = '?appVersionCode=1&appVersionName=1&osVersion=1&platform=0&pluginVersion=8.0.0&deviceId=x';
    expectError(await device.get(`${app.path}/bundles/latest${check}`), 404, 'no_update');
    expect((await member.api.get('/v1/users/me')).status).toBe(200);
    const own = expectCreated<{ id: string }>(await member.api.post('/v1/organizations', { name: 'Own' }));
    expect((await member.api.get(`/v1/organizations/${own.id}`)).status).toBe(200);
    expectError(await member.api.get(organization), 403, 'two_factor_required');
  });

  it('shows nothing to users who are not members', async () => {
    const { organization, app } = await guarded();
    const stranger = await createApp();
    expectError(await stranger.api.get(organization), 404, 'organization_not_found');
    expectError(await stranger.api.get(app.path), 404, 'app_not_found');
  });
});

it('cannot be required by a user who has no second factor', async () => {
  const app = await createApp();
  const organization = `/v1/organizations/${app.tenant.organizationId}`;
  const refused = await app.api.patch(organization, { twoFactorRequired: true, name: 'Other' });
  expect(expectInvalid(refused, 'twoFactorRequired').message).toContain('/settings/two-factor');
  expect((await app.api.get(organization)).body).toMatchObject({ twoFactorRequired: false });
  expect((await app.api.patch(organization, { twoFactorRequired: false })).status).toBe(200);
});

/** A person with a password who is an admin. */
async function joined(tenant: Tenant): Promise<Actor> {
  const person = await createPerson();
  const sql = `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'admin')`;
  await query(testEnvironment().databaseUrl, sql, [tenant.organizationId, person.userId]);
  return person;
}

it('takes a second factor that was used at the OpenID provider, for the session and for its API tokens', async () => {
  const { app, organization } = await guarded();
  const member = await createMember(app.tenant, 'admin');
  const without = new Api(member.api.origin, await createDeviceSession(member.userId));
  const session = new Api(member.api.origin, await createDeviceSession(member.userId, new Date()));
  await expectRefused(without, app, organization);
  await expectAllowed(session, app, organization);
  const { token } = await createToken(session, {});
  await expectAllowed(new Api(member.api.origin, token), app, organization);
  const weak = await createToken(without, {});
  await expectRefused(new Api(member.api.origin, weak.token), app, organization);
});

describe('a session from the OpenID provider', () => {
  it('without a second factor is refused, with its API tokens, also when the user has an authenticator app', async () => {
    const { app, organization } = await guarded();
    const member = await createMember(app.tenant, 'admin');
    await setTwoFactor(member, true);
    const session = new Api(member.api.origin, await createDeviceSession(member.userId, null, 'oidc'));
    await expectRefused(session, app, organization);
    const { token } = await createToken(session);
    await expectRefused(new Api(member.api.origin, token), app, organization);
    const proven = new Api(member.api.origin, await createDeviceSession(member.userId, new Date(), 'oidc'));
    await expectAllowed(proven, app, organization);
  });
});

describe('an API token with a second factor', () => {
  const idOf = async (api: Api): Promise<string> => (await createToken(api)).id;

  it('loses it when a caller without one rotates it', async () => {
    const { app, organization } = await guarded();
    const member = await createMember(app.tenant, 'admin');
    const proven = new Api(member.api.origin, await createDeviceSession(member.userId, new Date()));
    const weak = new Api(member.api.origin, await createDeviceSession(member.userId));
    const id = await idOf(proven);
    const rotate = async (api: Api): Promise<Api> => {
      const { body } = await api.post(`/v1/tokens/${id}/rotate`, { overlapSeconds: 60 });
      return new Api(api.origin, (body as { token: string }).token);
    };
    await expectAllowed(await rotate(proven), app, organization);
    await expectRefused(await rotate(weak), app, organization);
    await expectRefused(await rotate(proven), app, organization);
  });

  it('loses it when a caller without one makes it wider, not when one makes it narrower', async () => {
    const { app, organization } = await guarded();
    const member = await createMember(app.tenant, 'admin');
    const proven = new Api(member.api.origin, await createDeviceSession(member.userId, new Date()));
    const weak = new Api(member.api.origin, await createDeviceSession(member.userId));
    const { id, api } = await createToken(proven);
    const path = `/v1/tokens/${id}`;
    expect((await weak.patch(path, { name: 'Other', permissions: 'read-only' })).status).toBe(200);
    expect((await api.get(organization)).status).toBe(200);
    expect((await proven.patch(path, { permissions: 'all' })).status).toBe(200);
    await expectAllowed(api, app, organization);
    expect((await proven.patch(path, { permissions: 'read-only' })).status).toBe(200);
    expect((await weak.patch(path, { permissions: 'all' })).status).toBe(200);
    await expectRefused(api, app, organization);
  });
});
