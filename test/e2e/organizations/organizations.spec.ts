import { v7 as uuid } from 'uuid';
import {
  createActor,
  createMember,
  createTenant,
  memberIdOf,
  setTwoFactor,
  type Tenant,
} from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

describe('organizations', () => {
  let tenant: Tenant;
  let path: string;

  beforeAll(async () => {
    tenant = await createTenant();
    path = `/v1/organizations/${tenant.organizationId}`;
  });

  it('are listed to their members only, by name', async () => {
    const { api } = await createActor();
    for (const name of ['Bravo', 'alpha', 'Charlie']) await api.post('/v1/organizations', { name });
    const list = await api.get('/v1/organizations');
    const names = (list.body as { name: string }[]).map(({ name }) => name);
    expect([...names].sort()).toEqual(['Bravo', 'Charlie', 'alpha']);
    expect(list.headers['x-total-count']).toBe('3');
    const pages = await Promise.all(
      [0, 1, 2].map((offset) => api.get(`/v1/organizations?limit=1&offset=${offset}`)),
    );
    expect(pages.map(({ body }) => (body as { name: string }[])[0]?.name)).toEqual(names);
    expectInvalid(await api.get('/v1/organizations?limit=0'), 'limit');
  });

  it('are none for a new user', async () => {
    const { api } = await createActor();
    expect((await api.get('/v1/organizations')).body).toEqual([]);
  });

  it('belong to the user who creates them', async () => {
    const actor = await createActor();
    const created = await actor.api.post('/v1/organizations', { name: ' Müller & Söhne ', trialCode: 'X' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String) as string,
      name: 'Müller & Söhne',
      slug: expect.stringMatching(/^muller-sohne-[0-9a-f]{6}$/) as string,
      logo: null,
      countryAllowlist: null,
      ipAllowlist: null,
      twoFactorRequired: false,
      restrictCertificates: false,
      suspendedAt: null,
      suspensionReason: null,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    const { id } = created.body as { id: string };
    // Only owners and administrators may change one.
    const changed = await actor.api.patch(`/v1/organizations/${id}`, { name: 'Müller' });
    expect(changed.body).toMatchObject({ id, name: 'Müller' });
    expect((await actor.api.get(`/v1/organizations/${id}`)).body).toEqual(changed.body);
  });

  it('count to the account of the user who created them, also when others own them later', async () => {
    const own = await createTenant();
    const ownPath = `/v1/organizations/${own.organizationId}`;
    const newOwner = await createMember(own, 'admin');
    const { api } = own.owner;
    expect((await api.patch(`${ownPath}/members/${newOwner.memberId}`, { role: 'owner' })).status).toBe(200);
    const before = await memberIdOf(own, own.owner);
    expect((await newOwner.api.delete(`${ownPath}/members/${before}`)).status).toBe(204);
    const [organization] = await query(
      testEnvironment().databaseUrl,
      'SELECT account_id FROM organizations WHERE id = $1',
      [own.organizationId],
    );
    expect(organization).toEqual({ account_id: own.owner.userId });
  });

  it('may share a name', async () => {
    const { api } = await createActor();
    const slugs = await Promise.all(
      [1, 2].map(async () => {
        const { body } = await api.post('/v1/organizations', { name: 'Same' });
        return (body as { slug: string }).slug;
      }),
    );
    expect(new Set(slugs).size).toBe(2);
  });

  it('are only created with a name', async () => {
    const { api } = tenant.owner;
    for (const name of [
      undefined,
      null,
      '',
      '  ',
      5,
      'x'.repeat(129),
      'x'.repeat(10_000),
      'a\u0000b',
      'a\tb',
    ]) {
      const response = await api.request('post', '/v1/organizations').send({ name });
      expectError(response, 400);
    }
    expectInvalid(await api.post('/v1/organizations', {}), 'name');
    expectInvalid(await api.request('post', '/v1/organizations'), 'name');
  });

  it('are unknown to strangers', async () => {
    const { api } = await createActor();
    for (const unknown of [tenant.organizationId, uuid(), 'unknown', '1']) {
      for (const method of ['get', 'patch'] as const) {
        const response = await api.request(method, `/v1/organizations/${unknown}`).send({ name: 'Mine' });
        expect(expectError(response, 404, 'organization_not_found').message).toBe('Organization not found.');
      }
    }
    expect((await tenant.owner.api.get(path)).body).not.toMatchObject({ name: 'Mine' });
  });

  it('ask for a token', async () => {
    const anonymous = new Api(tenant.owner.api.origin, null);
    for (const [method, url] of [
      ['get', '/v1/organizations'],
      ['post', '/v1/organizations'],
      ['get', path],
      ['patch', path],
    ] as const) {
      expectError(await anonymous.request(method, url).send({ name: 'Mine' }), 401, 'not_authenticated');
    }
  });

  it.each([
    ['owner', 200],
    ['admin', 200],
    ['billing', 403],
    ['member', 403],
    ['viewer', 403],
  ] as const)('are shown to the role %s, which gets %d for a change', async (role, status) => {
    const { api } = await createMember(tenant, role);
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get('/v1/organizations')).body).toMatchObject([{ id: tenant.organizationId }]);
    expect((await api.patch(path, {})).status).toBe(status);
  });

  describe('allowlists', () => {
    // Countries need a proxy that states them: see restrictions.spec.ts.
    it('hold addresses and networks', async () => {
      const ipAllowlist = ['192.0.2.1', '192.0.2.0/24', '2001:db8::1', '2001:db8::/32', '0.0.0.0/0'];
      const changed = await tenant.owner.api.patch(path, { ipAllowlist });
      expect(changed.body).toMatchObject({ ipAllowlist });
    });

    it('stay when absent and are cleared by null', async () => {
      const { api } = tenant.owner;
      await setTwoFactor(tenant.owner, true);
      await api.patch(path, { ipAllowlist: ['127.0.0.0/8'], twoFactorRequired: true });
      const renamed = await api.patch(path, { name: 'Renamed' });
      expect(renamed.body).toMatchObject({
        name: 'Renamed',
        ipAllowlist: ['127.0.0.0/8'],
        twoFactorRequired: true,
      });
      const cleared = await api.patch(path, { countryAllowlist: null, ipAllowlist: null });
      expect(cleared.body).toMatchObject({ countryAllowlist: null, ipAllowlist: null, name: 'Renamed' });
    });

    it.each([
      ['countryAllowlist', ['Germany']],
      ['countryAllowlist', ['DE', 'ZZ']],
      ['countryAllowlist', ['']],
      ['countryAllowlist', [null]],
      ['countryAllowlist', [5]],
      ['countryAllowlist', 'DE'],
      ['countryAllowlist', { 0: 'DE' }],
      ['ipAllowlist', ['localhost']],
      ['ipAllowlist', ['192.0.2.1', '300.0.0.1']],
      ['ipAllowlist', ['192.0.2.0/33']],
      ['ipAllowlist', ['2001:db8::/129']],
      ['ipAllowlist', ['192.0.2.0/']],
      ['ipAllowlist', ['192.0.2.0/24/1']],
      ['ipAllowlist', [null]],
      ['ipAllowlist', '192.0.2.1'],
      ['twoFactorRequired', null],
      ['twoFactorRequired', 'true'],
      ['restrictCertificates', null],
      ['name', null],
    ])('are refused: %s %j', async (field, value) => {
      expectInvalid(await tenant.owner.api.patch(path, { [field]: value }), field);
    });

    it('hold at most 1,000 addresses and networks', async () => {
      const ipAllowlist = Array.from({ length: 1001 }, () => '192.0.2.1');
      expectInvalid(await tenant.owner.api.patch(path, { ipAllowlist }), 'ipAllowlist');
    });

    it('name every wrong field at once', async () => {
      const body = { name: '', countryAllowlist: ['ZZ'], ipAllowlist: ['x'], twoFactorRequired: 1 };
      expectInvalid(await tenant.owner.api.patch(path, body), ...Object.keys(body));
    });
  });
});
