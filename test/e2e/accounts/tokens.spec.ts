import pg from 'pg';
import type { Response } from 'supertest';
import { v7 as uuid } from 'uuid';
import { generateApiToken, hashToken, isApiToken } from '../../../src/common/access/api-token.js';
import { createApp, type TestApp } from '../../builders/app.js';
import {
  type Actor,
  createActor,
  createMember,
  createTenant,
  type Tenant,
} from '../../builders/identities.js';
import { createToken, type TestToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { uniqueName } from '../../support/unique-name.js';

const sql = (text: string, values: unknown[] = []) => query(testEnvironment().databaseUrl, text, values);
const inFuture = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const idsOf = (response: Response): string[] => (response.body as { id: string }[]).map(({ id }) => id);
const secretOf = (response: Response): string => (response.body as { token: string }).token;

const UNKNOWN = generateApiToken();

let tenant: Tenant;
let owner: Actor;

beforeAll(async () => {
  tenant = await createTenant();
  owner = tenant.owner;
});

/** Whether a secret is valid. */
async function isValid(secret: string): Promise<boolean> {
  const response = await new Api(owner.api.origin, secret).get('/v1/users/me');
  if (response.status === 200) return true;
  expectError(response, 401, 'invalid_token');
  expect(response.headers['www-authenticate']).toBe('Bearer realm="slipway", error="invalid_token"');
  return false;
}

describe('create', () => {
  it('shows the secret once, and stores only its hash', async () => {
    const response = await owner.api.post('/v1/tokens', { name: '  Release pipeline ' });
    const { token, ...shown } = response.body as { id: string; token: string };
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(isApiToken(token)).toBe(true);
    expect(shown).toEqual({
      id: expect.any(String) as unknown,
      name: 'Release pipeline',
      lastFour: token.slice(-4),
      expiresAt: null,
      previousExpiresAt: null,
      permissions: 'all',
      organizationIds: null,
      appIds: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      lastUsedClient: null,
      createdAt: expect.any(String) as unknown,
      updatedAt: expect.any(String) as unknown,
    });
    expect((await owner.api.get(`/v1/tokens/${shown.id}`)).body).toEqual(shown);
    expect((await owner.api.get('/v1/tokens')).text).not.toContain(token);
    const rows = await sql('SELECT * FROM tokens WHERE id = $1', [shown.id]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows).toMatchObject([{ hash: hashToken(token) }]);
    expect(await isValid(token)).toBe(true);
  });

  it('takes an expiry and limits, ids in any case and doubles once', async () => {
    const app = await createApp(tenant);
    const expiresAt = inFuture(60);
    const response = await owner.api.post('/v1/tokens', {
      name: 'CI',
      expiresAt,
      permissions: ['apps:read', 'apps:read', 'bundles:write'],
      organizationIds: [tenant.organizationId.toUpperCase(), tenant.organizationId],
      appIds: [app.id.toUpperCase()],
    });
    expect(response.body).toMatchObject({
      expiresAt,
      permissions: ['apps:read', 'bundles:write'],
      organizationIds: [tenant.organizationId],
      appIds: [app.id],
    });
  });

  it('takes two tokens of one name', async () => {
    const first = await createToken(owner.api, { name: 'Same' });
    const second = await createToken(owner.api, { name: 'Same' });
    expect(first.id).not.toBe(second.id);
  });

  it.each([
    ['no fields', {}, ['name']],
    ['null for what cannot be cleared', { name: null, permissions: null }, ['name', 'permissions']],
    ['wrong types', { name: 5, expiresAt: 'soon', permissions: 5 }, ['name', 'expiresAt', 'permissions']],
    ['a past expiry', { name: 'a', expiresAt: new Date(0).toISOString() }, ['expiresAt']],
    ['an unknown word', { name: 'a', permissions: 'write' }, ['permissions']],
    ['an unknown permission', { name: 'a', permissions: ['apps:read', 'apps:fly'] }, ['permissions']],
    ['a nested word', { name: 'a', permissions: ['all'] }, ['permissions']],
    ['an empty list', { name: 'a', permissions: [] }, ['permissions']],
    ['empty limits', { name: 'a', organizationIds: [], appIds: [] }, ['organizationIds', 'appIds']],
    ['limits of words', { name: 'a', organizationIds: ['acme'], appIds: 'x' }, ['organizationIds', 'appIds']],
    ['limits of numbers', { name: 'a', organizationIds: [5], appIds: [null] }, ['organizationIds', 'appIds']],
    ['too many limits', { name: 'a', appIds: Array.from({ length: 101 }, () => uuid()) }, ['appIds']],
  ])('refuses %s', async (_what, body, fields) => {
    expectInvalid(await owner.api.post('/v1/tokens', body), ...fields);
  });

  it('knows no organization and no app that the caller cannot see', async () => {
    const foreign = await createApp();
    const { organizationId } = foreign.tenant;
    for (const id of [organizationId, uuid()]) {
      const response = await owner.api.post('/v1/tokens', { name: 'a', organizationIds: [id] });
      expectError(response, 404, 'organization_not_found');
    }
    for (const id of [foreign.id, uuid()]) {
      expectError(await owner.api.post('/v1/tokens', { name: 'a', appIds: [id] }), 404, 'app_not_found');
    }
  });
});

describe('list', () => {
  it('has the own tokens only, newest first, in pages', async () => {
    const actor = await createActor();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.unshift((await createToken(actor.api)).id);
    const all = await actor.api.get('/v1/tokens');
    expect(idsOf(all).slice(0, 4)).toEqual(ids);
    expect(all.headers['x-total-count']).toBe('5');
    expect(idsOf(await actor.api.get('/v1/tokens?limit=2&offset=1'))).toEqual(ids.slice(1, 3));
    expectInvalid(await actor.api.get('/v1/tokens?limit=0'), 'limit');
    expect(idsOf(await owner.api.get('/v1/tokens?limit=100'))).not.toEqual(expect.arrayContaining(ids));
  });
});

describe('a token that is limited to apps', () => {
  it('sees itself and the tokens within its scope, and no others', async () => {
    const own = await createTenant();
    const [app, other] = [await createApp(own), await createApp(own)];
    const limited = await createToken(own.owner.api, { appIds: [app.id] });
    const inner = await createToken(limited.api, { permissions: 'read-only' });
    const outer = await createToken(own.owner.api);
    const beside = await createToken(own.owner.api, { appIds: [other.id] });
    const wider = await createToken(own.owner.api, { appIds: [app.id, other.id] });
    const list = await limited.api.get('/v1/tokens');
    expect(idsOf(list)).toEqual([inner.id, limited.id]);
    expect(list.headers['x-total-count']).toBe('2');
    expect(idsOf(await inner.api.get('/v1/tokens'))).toEqual([inner.id]);
    for (const { id } of [outer, beside, wider]) {
      expectError(await limited.api.get(`/v1/tokens/${id}`), 404, 'token_not_found');
    }
    expect((await limited.api.get(`/v1/tokens/${inner.id}`)).status).toBe(200);
    expect(idsOf(await own.owner.api.get('/v1/tokens'))).toEqual(
      expect.arrayContaining([outer.id, limited.id]),
    );
  });
});

describe('one token', () => {
  it('does not exist for another user, even of the same organization', async () => {
    const { id } = await createToken(owner.api);
    const admin = await createMember(tenant, 'admin');
    for (const unknown of [id, uuid(), 'unknown', '1']) {
      const path = `/v1/tokens/${unknown}`;
      expectError(await admin.api.get(path), 404, 'token_not_found');
      expectError(await admin.api.patch(path, { name: 'Mine' }), 404, 'token_not_found');
      expectError(await admin.api.delete(path), 404, 'token_not_found');
      expectError(await admin.api.post(`${path}/rotate`), 404, 'token_not_found');
    }
    expect((await owner.api.get(`/v1/tokens/${id}`)).status).toBe(200);
  });

  it('needs a token', async () => {
    const anonymous = new Api(owner.api.origin, null);
    const { id } = await createToken(owner.api);
    for (const response of [
      await anonymous.get('/v1/tokens'),
      await anonymous.post('/v1/tokens', { name: 'a' }),
      await anonymous.get(`/v1/tokens/${id}`),
      await anonymous.patch(`/v1/tokens/${id}`, {}),
      await anonymous.delete(`/v1/tokens/${id}`),
      await anonymous.post(`/v1/tokens/${id}/rotate`),
    ]) {
      expectError(response, 401, 'not_authenticated');
    }
  });
});

describe('update', () => {
  it('changes what is given, clears what is null, and takes effect at once', async () => {
    const app = await createApp(tenant);
    const { id, api, token } = await createToken(owner.api);
    const path = `/v1/tokens/${id}`;
    const expiresAt = inFuture(60);
    const limited = await owner.api.patch(path, { permissions: 'read-only', appIds: [app.id], expiresAt });
    expect(limited.body).toMatchObject({ permissions: 'read-only', appIds: [app.id], expiresAt });
    expect(limited.text).not.toContain(token);
    expectError(await api.patch(app.path, { name: 'Other' }), 403, 'token_limited');
    const named = await owner.api.patch(path, { name: 'Named' });
    expect(named.body).toMatchObject({
      name: 'Named',
      permissions: 'read-only',
      appIds: [app.id],
      expiresAt,
    });
    const cleared = await owner.api.patch(path, { permissions: 'all', appIds: null, expiresAt: null });
    expect(cleared.body).toMatchObject({ name: 'Named', permissions: 'all', appIds: null, expiresAt: null });
    expect((await api.patch(app.path, { name: 'Other' })).status).toBe(200);
    // The last use is recorded beside the requests, at any time.
    const { lastUsedAt: _at, lastUsedAddress: _from, lastUsedClient: _by, ...kept } = cleared.body;
    expect((await owner.api.patch(path, {})).body).toMatchObject(kept);
  });

  it('refuses what create refuses', async () => {
    const path = `/v1/tokens/${(await createToken(owner.api)).id}`;
    const wrong = { name: null, expiresAt: 5, permissions: null, organizationIds: [], appIds: ['x'] };
    expectInvalid(await owner.api.patch(path, wrong), ...Object.keys(wrong));
    expectError(await owner.api.patch(path, { organizationIds: [uuid()] }), 404, 'organization_not_found');
    expectError(await owner.api.patch(path, { appIds: [uuid()] }), 404, 'app_not_found');
  });
});

describe('delete', () => {
  it('revokes at once', async () => {
    const { id, token } = await createToken(owner.api);
    expect((await owner.api.delete(`/v1/tokens/${id}`)).status).toBe(204);
    expect(await isValid(token)).toBe(false);
    expectError(await owner.api.get(`/v1/tokens/${id}`), 404, 'token_not_found');
    expectError(await owner.api.delete(`/v1/tokens/${id}`), 404, 'token_not_found');
  });

  it('takes the token that is in use', async () => {
    const { id, api, token } = await createToken(owner.api);
    expect((await api.delete(`/v1/tokens/${id}`)).status).toBe(204);
    expect(await isValid(token)).toBe(false);
  });
});

describe('rotate', () => {
  const rotate = (id: string, body?: object, api = owner.api): Promise<Response> =>
    api.post(`/v1/tokens/${id}/rotate`, body);
  const valid = async (...secrets: string[]): Promise<boolean[]> => Promise.all(secrets.map(isValid));

  it('replaces the secret at once, with an empty body or none', async () => {
    const { id, token } = await createToken(owner.api, { name: 'CI', permissions: 'read-only' });
    const first = await rotate(id);
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.body).toMatchObject({
      id,
      name: 'CI',
      permissions: 'read-only',
      previousExpiresAt: null,
      lastFour: secretOf(first).slice(-4),
    });
    expect(await valid(token, secretOf(first))).toEqual([false, true]);
    const second = await rotate(id, {});
    expect(await valid(secretOf(first), secretOf(second))).toEqual([false, true]);
  });

  it('keeps the old secret for the overlap', async () => {
    const { id, token } = await createToken(owner.api);
    const response = await rotate(id, { overlapSeconds: 3600 });
    const { previousExpiresAt } = response.body as { previousExpiresAt: string };
    expect(Date.parse(previousExpiresAt) - Date.now()).toBeGreaterThan(3590_000);
    expect(Date.parse(previousExpiresAt) - Date.now()).toBeLessThanOrEqual(3600_000);
    expect(await valid(token, secretOf(response))).toEqual([true, true]);
    await sql('UPDATE tokens SET previous_expires_at = now() WHERE id = $1', [id]);
    expect(await valid(token, secretOf(response))).toEqual([false, true]);
    expect((await owner.api.get(`/v1/tokens/${id}`)).body).toMatchObject({ previousExpiresAt: null });
  });

  it('ends the overlap of the rotation before', async () => {
    const { id, token } = await createToken(owner.api);
    const first = secretOf(await rotate(id, { overlapSeconds: 604_800 }));
    const second = secretOf(await rotate(id, { overlapSeconds: 60 }));
    expect(await valid(token, first, second)).toEqual([false, true, true]);
    const third = secretOf(await rotate(id, { overlapSeconds: 0 }));
    expect(await valid(token, first, second, third)).toEqual([false, false, false, true]);
  });

  it('lets a token rotate itself, also by its old secret', async () => {
    const { id, api, token } = await createToken(owner.api);
    const first = secretOf(await rotate(id, { overlapSeconds: 60 }, api));
    const second = secretOf(await rotate(id, { overlapSeconds: 60 }, api));
    expect(await valid(token, first, second)).toEqual([false, true, true]);
  });

  it('takes neither secret longer than the token', async () => {
    const { id, token } = await createToken(owner.api, { expiresAt: inFuture(600) });
    const rotated = secretOf(await rotate(id, { overlapSeconds: 3600 }));
    expect(await valid(token, rotated)).toEqual([true, true]);
    await sql('UPDATE tokens SET expires_at = now() WHERE id = $1', [id]);
    expect(await valid(token, rotated)).toEqual([false, false]);
  });

  it('revokes both secrets with the token', async () => {
    const { id, token } = await createToken(owner.api);
    const rotated = secretOf(await rotate(id, { overlapSeconds: 3600 }));
    await owner.api.delete(`/v1/tokens/${id}`);
    expect(await valid(token, rotated)).toEqual([false, false]);
  });

  it('lets the last of many at once win: its old secret is the one before, the rest are gone', async () => {
    const { id, token } = await createToken(owner.api);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => rotate(id, { overlapSeconds: 3600 })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const states = await valid(...responses.map(secretOf));
    expect(states.filter(Boolean)).toHaveLength(2);
    expect(await isValid(token)).toBe(false);
    const { lastFour } = (await owner.api.get(`/v1/tokens/${id}`)).body as { lastFour: string };
    expect(responses.filter((_, index) => states[index]).map((r) => secretOf(r).slice(-4))).toContain(
      lastFour,
    );
  });

  it('leaves one valid secret of many at once without overlap', async () => {
    const { id, token } = await createToken(owner.api);
    const responses = await Promise.all(Array.from({ length: 4 }, () => rotate(id)));
    const states = await valid(token, ...responses.map(secretOf));
    expect(states.filter(Boolean)).toHaveLength(1);
    expect(states[0]).toBe(false);
  });

  it.each([-1, 604_801, 1.5, '60', null, true])('refuses an overlap of %j', async (overlapSeconds) => {
    const { id, token } = await createToken(owner.api);
    expectInvalid(await rotate(id, { overlapSeconds }), 'overlapSeconds');
    expect(await isValid(token)).toBe(true);
  });
});

describe('what is no valid token', () => {
  it('is refused: expired, cut short, with a flipped bit, of another instance, with text around it', async () => {
    const expired = await createToken(owner.api, { expiresAt: inFuture(600) });
    expect(await isValid(expired.token)).toBe(true);
    await sql('UPDATE tokens SET expires_at = now() WHERE id = $1', [expired.id]);
    const { token } = await createToken(owner.api);
    const flipped = [3, 20, 50].map((at) => {
      const digit = (Number.parseInt(token.charAt(at), 16) ^ 1).toString(16);
      return token.slice(0, at) + digit + token.slice(at + 1);
    });
    const cut = [token.slice(0, -1), token.slice(0, 20), token.slice(3), 'ca_'];
    for (const bad of [expired.token, UNKNOWN, ...flipped, ...cut, `${token}${token}`, hashToken(token)]) {
      expect(await isValid(bad)).toBe(false);
    }
    expect(await isValid(token)).toBe(true);
  });

  it('is refused where no token would be needed', async () => {
    const { id, api } = await createToken(owner.api);
    await owner.api.delete(`/v1/tokens/${id}`);
    const app = await createApp(tenant, {});
    expectError(await api.get(`${app.path}/channels`), 401, 'invalid_token');
  });
});

describe('last use', () => {
  const shown = async (id: string): Promise<Record<string, unknown>> =>
    (await owner.api.get(`/v1/tokens/${id}`)).body as Record<string, unknown>;
  const use = async (token: TestToken, client: string): Promise<Response> =>
    token.api.request('get', '/v1/users/me').set('User-Agent', client);
  const age = (id: string): Promise<unknown> =>
    sql(`UPDATE tokens SET last_used_at = now() - interval '6 minutes' WHERE id = $1`, [id]);

  it('reports when, from where and by what, exact to five minutes', async () => {
    const token = await createToken(owner.api);
    const before = await shown(token.id);
    expect((await use(token, 'Robot/1.0')).status).toBe(200);
    const first = await eventually(async () => {
      const now = await shown(token.id);
      expect(now).toMatchObject({ lastUsedAddress: '127.0.0.1', lastUsedClient: 'Robot/1.0' });
      return now;
    });
    expect(Math.abs(Date.parse(first['lastUsedAt'] as string) - Date.now())).toBeLessThan(60_000);
    expect(first['updatedAt']).toBe(before['updatedAt']);

    // The write of the second would come before that of the third.
    await use(token, 'Robot/2.0');
    expect(await shown(token.id)).toMatchObject({ lastUsedClient: 'Robot/1.0' });
    await age(token.id);
    await use(token, 'x'.repeat(3000));
    await eventually(async () =>
      expect(await shown(token.id)).toMatchObject({ lastUsedClient: 'x'.repeat(255) }),
    );
  });

  it('holds no request up', async () => {
    const token = await createToken(owner.api);
    const client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM tokens WHERE id = $1 FOR UPDATE', [token.id]);
      const responses = await Promise.all(Array.from({ length: 40 }, () => use(token, 'Robot/1.0')));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await shown(token.id)).toMatchObject({ lastUsedAt: null });
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    await eventually(async () =>
      expect(await shown(token.id)).toMatchObject({ lastUsedClient: 'Robot/1.0' }),
    );
  });

  it('fails no request when it cannot be written', async () => {
    const token = await createToken(owner.api);
    const name = `refuse_${token.id.replaceAll('-', '')}`;
    await sql(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$`);
    await sql(`CREATE TRIGGER ${name} BEFORE UPDATE ON tokens FOR EACH ROW WHEN (NEW.id = '${token.id}')
                 EXECUTE FUNCTION ${name}()`);
    try {
      for (let count = 0; count < 3; count++) expect((await use(token, 'Robot/1.0')).status).toBe(200);
    } finally {
      await sql(`DROP FUNCTION ${name} CASCADE`);
    }
    await eventually(async () => {
      await use(token, 'Robot/1.0');
      expect(await shown(token.id)).toMatchObject({ lastUsedClient: 'Robot/1.0' });
    });
  });
});

describe('limits', () => {
  let app: TestApp;
  let sibling: TestApp;
  let otherTenant: TestApp;

  beforeAll(async () => {
    app = await createApp(tenant, { name: uniqueName('Shop') });
    sibling = await createApp(tenant);
    otherTenant = await createApp(tenant);
    // The owner is a member of a second organization too.
    const second = await createTenant();
    await sql(`INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'owner')`, [
      uuid(),
      second.organizationId,
      owner.userId,
    ]);
    otherTenant = await createApp(second);
  });

  it('never add to the role, also after it has shrunk', async () => {
    const member = await createMember(tenant, 'member');
    const { api } = await createToken(member.api, {
      permissions: ['apps:read', 'apps:write', 'channels:write'],
    });
    const channel = { name: uniqueName('channel') };
    expectError(await api.patch(app.path, { name: 'Mine' }), 403, 'not_authorized');
    expect((await api.post(`${app.path}/channels`, channel)).status).toBe(201);
    const setRole = (role: string): Promise<unknown> =>
      sql('UPDATE members SET role = $1 WHERE user_id = $2', [role, member.userId]);
    await setRole('viewer');
    expectError(await api.post(`${app.path}/channels`, channel), 403, 'not_authorized');
    expect((await api.get(app.path)).status).toBe(200);
    await sql('DELETE FROM members WHERE user_id = $1', [member.userId]);
    expectError(await api.get(app.path), 404, 'app_not_found');
  });

  describe('read-only', () => {
    let api: Api;

    beforeAll(async () => {
      ({ api } = await createToken(owner.api, { permissions: 'read-only' }));
    });

    it('reads everything', async () => {
      for (const path of [
        '/v1/users/me',
        '/v1/tokens',
        '/v1/organizations',
        `/v1/organizations/${tenant.organizationId}`,
        '/v1/apps',
        app.path,
        `${app.path}/channels`,
        `${app.path}/builds`,
        `${app.path}/deployments`,
        `${app.path}/devices`,
      ]) {
        expect({ path, status: (await api.get(path)).status }).toEqual({ path, status: 200 });
      }
    });

    it('writes nothing, and makes no token', async () => {
      const { id } = await createToken(owner.api, { permissions: 'read-only' });
      for (const response of [
        await api.post('/v1/organizations', { name: 'a' }),
        await api.patch(`/v1/organizations/${tenant.organizationId}`, { name: 'a' }),
        await api.post('/v1/apps', { name: 'a' }),
        await api.patch(app.path, { name: 'a' }),
        await api.delete(app.path),
        await api.post(`${app.path}/channels`, { name: 'a' }),
        await api.post('/v1/tokens', { name: 'a', permissions: 'read-only' }),
        await api.patch(`/v1/tokens/${id}`, { name: 'a' }),
        await api.post(`/v1/tokens/${id}/rotate`),
        await api.delete(`/v1/tokens/${id}`),
      ]) {
        expectError(response, 403, 'token_limited');
      }
    });
  });

  it('allow the permissions that are listed, and say which one is missing', async () => {
    const { api } = await createToken(owner.api, { permissions: ['apps:read', 'channels:write'] });
    expect((await api.get(app.path)).status).toBe(200);
    expect((await api.post(`${app.path}/channels`, { name: uniqueName('channel') })).status).toBe(201);
    const refused = expectError(await api.get(`${app.path}/channels`), 403, 'token_limited');
    expect(refused.message).toBe('The token does not allow channels:read here.');
    expectError(await api.get('/v1/users/me'), 403, 'token_limited');
    expectError(await api.get('/v1/apps'), 403, 'token_limited');
    expectError(await api.patch(app.path, { name: 'a' }), 403, 'token_limited');
    expectError(await api.get(`/v1/organizations/${tenant.organizationId}`), 403, 'token_limited');
  });

  it('refuse lists of what the token may not read', async () => {
    const { api } = await createToken(owner.api, { permissions: ['account:read', 'account:write'] });
    expectError(await api.get('/v1/apps'), 403, 'token_limited');
    expectError(await api.get('/v1/organizations'), 403, 'token_limited');
    expectError(await api.post('/v1/apps', { name: 'a' }), 403, 'token_limited');
  });

  describe('to an organization', () => {
    let api: Api;

    beforeAll(async () => {
      ({ api } = await createToken(owner.api, { organizationIds: [tenant.organizationId] }));
    });

    it('show it and its apps, whatever the case of the id', async () => {
      expect(idsOf(await api.get('/v1/organizations'))).toEqual([tenant.organizationId]);
      for (const id of [tenant.organizationId, tenant.organizationId.toUpperCase()]) {
        expect((await api.get(`/v1/organizations/${id}`)).status).toBe(200);
        expect(idsOf(await api.get(`/v1/apps?organizationId=${id}`))).toContain(app.id);
      }
      expect((await api.patch(`/v1/apps/${app.id.toUpperCase()}`, { type: 'ios' })).status).toBe(200);
      // There is just one organization that it could be.
      expect((await api.post('/v1/apps', { name: 'New' })).body).toMatchObject({
        organizationId: tenant.organizationId,
      });
    });

    it('hide the others', async () => {
      const { organizationId } = otherTenant.tenant;
      expectError(await api.get(`/v1/organizations/${organizationId}`), 404, 'organization_not_found');
      expectError(await api.get(`/v1/apps?organizationId=${organizationId}`), 404, 'organization_not_found');
      expectError(await api.post('/v1/apps', { name: 'a', organizationId }), 404, 'organization_not_found');
      expectError(await api.get(otherTenant.path), 404, 'app_not_found');
      expectError(await api.get(`${otherTenant.path}/channels`), 404, 'app_not_found');
      expect(idsOf(await api.get('/v1/apps?limit=100'))).not.toContain(otherTenant.id);
      expectError(await api.post('/v1/organizations', { name: 'a' }), 403, 'token_limited');
    });
  });

  describe('to an app', () => {
    let api: Api;

    beforeAll(async () => {
      ({ api } = await createToken(owner.api, { appIds: [app.id] }));
    });

    it('show the app and what is below it', async () => {
      for (const query of ['', `?organizationId=${tenant.organizationId}`, `?query=${app.id.slice(0, 30)}`]) {
        expect(idsOf(await api.get(`/v1/apps${query}`))).toEqual([app.id]);
      }
      expect((await api.get('/v1/apps')).headers['x-total-count']).toBe('1');
      expect((await api.get(app.path)).status).toBe(200);
      expect((await api.post(`${app.path}/channels`, { name: uniqueName('channel') })).status).toBe(201);
      expect((await api.get(`${app.path}/channels`)).status).toBe(200);
    });

    it('hide the others', async () => {
      for (const { path, id } of [sibling, otherTenant]) {
        expectError(await api.get(path), 404, 'app_not_found');
        expectError(await api.patch(path, { name: 'a' }), 404, 'app_not_found');
        expectError(await api.get(`${path}/channels`), 404, 'app_not_found');
        expect(idsOf(await api.get(`/v1/apps?query=${id}`))).toEqual([]);
      }
    });

    it('refuse everything else of its organization', async () => {
      const path = `/v1/organizations/${tenant.organizationId}`;
      expectError(await api.get('/v1/organizations'), 403, 'token_limited');
      expectError(await api.get(path), 403, 'token_limited');
      expectError(await api.patch(path, { name: 'a' }), 403, 'token_limited');
      expectError(await api.post('/v1/apps', { name: 'a' }), 403, 'token_limited');
      const { organizationId } = tenant;
      expectError(await api.post('/v1/apps', { name: 'a', organizationId }), 403, 'token_limited');
      expectError(await api.post('/v1/organizations', { name: 'a' }), 403, 'token_limited');
    });
  });

  it('need both when both are given', async () => {
    const values = { organizationIds: [tenant.organizationId], appIds: [otherTenant.id] };
    const { api } = await createToken(owner.api, values);
    expectError(await api.get(otherTenant.path), 404, 'app_not_found');
    expectError(await api.get(app.path), 404, 'app_not_found');
    expect((await api.get('/v1/apps')).body).toEqual([]);
  });

  describe('of tokens that make tokens', () => {
    const permissions = ['account:read', 'account:write', 'apps:read', 'channels:read'];
    let narrow: TestToken;

    beforeEach(async () => {
      narrow = await createToken(owner.api, { permissions, appIds: [app.id], expiresAt: inFuture(3600) });
    });

    const create = (values: object): Promise<Response> =>
      narrow.api.post('/v1/tokens', { name: 'Child', ...values });

    it('are passed on when nothing is said', async () => {
      const { body } = await create({});
      const own = (await narrow.api.get(`/v1/tokens/${narrow.id}`)).body as object;
      expect(body).toMatchObject({ permissions, appIds: [app.id], organizationIds: null });
      expect(body).toMatchObject({ expiresAt: (own as { expiresAt: string }).expiresAt });
    });

    it('can be made narrower', async () => {
      const expiresAt = inFuture(60);
      const { body } = await create({ permissions: ['apps:read'], expiresAt });
      expect(body).toMatchObject({ permissions: ['apps:read'], expiresAt, appIds: [app.id] });
    });

    it.each([
      ['all permissions', { permissions: 'all' }],
      ['read-only', { permissions: 'read-only' }],
      ['one permission more', { permissions: [...permissions, 'apps:write'] }],
      ['every app', { appIds: null }],
      ['no expiry', { expiresAt: null }],
      ['a later expiry', { expiresAt: inFuture(7200) }],
    ])('cannot be widened to %s', async (_what, values) => {
      expectError(await create(values), 403, 'token_limited');
      const child = await createToken(narrow.api);
      for (const id of [child.id, narrow.id]) {
        expectError(await narrow.api.patch(`/v1/tokens/${id}`, values), 403, 'token_limited');
      }
    });

    it('do not know what is outside of them', async () => {
      for (const id of [sibling.id, otherTenant.id]) {
        expectError(await create({ appIds: [app.id, id] }), 404, 'app_not_found');
        expectError(
          await narrow.api.patch(`/v1/tokens/${narrow.id}`, { appIds: [id] }),
          404,
          'app_not_found',
        );
      }
    });

    it('keep a token away from wider ones', async () => {
      const wide = await createToken(owner.api, { permissions: 'read-only', appIds: [app.id] });
      const path = `/v1/tokens/${wide.id}`;
      expectError(await narrow.api.get(path), 404, 'token_not_found');
      expectError(await narrow.api.post(`${path}/rotate`), 403, 'token_limited');
      expectError(await narrow.api.patch(path, { name: 'Mine' }), 403, 'token_limited');
      expectError(await narrow.api.patch(path, { permissions: ['apps:read'] }), 403, 'token_limited');
      expectError(await narrow.api.delete(path), 403, 'token_limited');
      expect(await isValid(wide.token)).toBe(true);
    });

    it('let it manage itself and those as narrow', async () => {
      const child = await createToken(narrow.api, { permissions: ['account:read'] });
      expect((await narrow.api.patch(`/v1/tokens/${child.id}`, { name: 'b' })).status).toBe(200);
      expect((await narrow.api.post(`/v1/tokens/${child.id}/rotate`)).status).toBe(200);
      expect((await narrow.api.delete(`/v1/tokens/${child.id}`)).status).toBe(204);
      const path = `/v1/tokens/${narrow.id}`;
      expect((await narrow.api.post(`${path}/rotate`, { overlapSeconds: 60 })).status).toBe(200);
      const fewer = permissions.filter((permission) => permission !== 'channels:read');
      expect((await narrow.api.patch(path, { permissions: fewer })).status).toBe(200);
      expectError(await narrow.api.patch(path, { permissions }), 403, 'token_limited');
      expect((await narrow.api.delete(path)).status).toBe(204);
    });
  });
});
