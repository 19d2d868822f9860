import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDevice } from '../../builders/device.js';
import { createActor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { uniqueName } from '../../support/unique-name.js';

describe('apps', () => {
  describe('create', () => {
    it('needs a name only, and makes the channel default', async () => {
      const tenant = await createTenant();
      const { status, body } = await tenant.owner.api.post('/v1/apps', { name: 'Shop' });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String) as string,
        organizationId: tenant.organizationId,
        name: 'Shop',
        type: 'capacitor',
        appChannelId: expect.any(String) as string,
        appEnvironmentId: null,
        appChannelDiscoveryEnabled: false,
        publicKeys: [],
        customIdHashing: false,
        withholdFromUnknownBundles: false,
        skipUnchanged: false,
        buildArtifactRetentionDays: null,
        buildSourceRetentionDays: null,
        jobLogRetentionDays: null,
        deviceRetentionDays: null,
        bundleRetentionCount: null,
        nextAppBuildNumber: 1,
        buildStack: null,
        runnerLabels: [],
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
      });
      const { id, appChannelId } = body as { id: string; appChannelId: string };
      const channels = await tenant.owner.api.get(`/v1/apps/${id}/channels`);
      expect(channels.body).toMatchObject([{ id: appChannelId, name: 'default', appId: id }]);
      expect((await tenant.owner.api.get(`/v1/apps/${id}`)).body).toEqual(body);
    });

    it('takes the organization from the query, as the command-line tool sends it, or from the body', async () => {
      const { owner } = await createTenant();
      const second = await owner.api.post('/v1/organizations', { name: 'Second' });
      const { id: organizationId } = second.body as { id: string };
      const values = { name: 'Shop', type: 'cordova' };
      for (const [path, body] of [
        [`/v1/apps?organizationId=${organizationId}`, values],
        [`/v1/apps?organizationId=${organizationId}`, { ...values, organizationId: uuid() }],
        ['/v1/apps', { ...values, organizationId }],
        ['/v1/apps?organizationId=', { ...values, organizationId }],
      ] as const) {
        const response = await owner.api.post(path, body);
        expect(response.body).toMatchObject({ organizationId, type: 'cordova' });
      }
    });

    it('says that the organization is missing when there are several', async () => {
      const { owner } = await createTenant();
      await owner.api.post('/v1/organizations', { name: 'Second' });
      const { message } = expectInvalid(await owner.api.post('/v1/apps', { name: 'Shop' }), 'organizationId');
      expect(message).toMatch(/several organizations/);
    });

    it('takes the only organization in which the caller may create apps', async () => {
      const tenant = await createTenant();
      const other = await createTenant();
      const admin = await createMember(tenant, 'admin');
      await query(
        testEnvironment().databaseUrl,
        'INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, $4)',
        [uuid(), other.organizationId, admin.userId, 'viewer'],
      );
      const response = await admin.api.post('/v1/apps', { name: 'Shop' });
      expect(response.body).toMatchObject({ organizationId: tenant.organizationId });
    });

    it('says that there is no organization', async () => {
      const { api } = await createActor();
      const { message } = expectInvalid(await api.post('/v1/apps', { name: 'Shop' }), 'organizationId');
      expect(message).toMatch(/create an organization first/);
    });

    it('is refused in the organization of another, and by roles that may not', async () => {
      const tenant = await createTenant();
      const path = `/v1/apps?organizationId=${tenant.organizationId}`;
      const stranger = await createActor();
      expectError(await stranger.api.post(path, { name: 'Shop' }), 404, 'organization_not_found');
      for (const role of ['member', 'viewer', 'billing'] as const) {
        const { api } = await createMember(tenant, role);
        expectError(await api.post(path, { name: 'Shop' }), 403, 'not_authorized');
      }
      expect((await tenant.owner.api.get('/v1/apps')).body).toEqual([]);
    });

    it.each([
      ['', {}, ['name']],
      ['', { name: '', type: 'windows' }, ['name', 'type']],
      ['', { name: 'Shop', type: null }, ['type']],
      ['', { name: 'Shop', organizationId: 'acme' }, ['organizationId']],
      ['?organizationId=acme', { name: 'Shop' }, ['organizationId']],
    ])('is refused with the query "%s" and the body %j', async (search, body, fields) => {
      const { owner } = await createTenant();
      expectInvalid(await owner.api.post(`/v1/apps${search}`, body), ...fields);
    });
  });

  describe('list', () => {
    let tenant: Tenant;
    let shop: TestApp;

    beforeAll(async () => {
      tenant = await createTenant();
      shop = await createApp(tenant, { name: 'Shop' });
      await createApp(tenant, { name: 'Bank_100%' });
      await createApp(tenant, { name: 'Shopping list' });
    });

    const names = async (search: string, api = tenant.owner.api): Promise<string[]> =>
      ((await api.get(`/v1/apps${search}`)).body as { name: string }[]).map(({ name }) => name);

    it('holds the apps of all organizations of the caller, by name, or of one', async () => {
      const own = ['Bank_100%', 'Shop', 'Shopping list'];
      expect(await names('')).toEqual(own);
      expect(await names(`?organizationId=${tenant.organizationId}`)).toEqual(own);
      const viewer = await createMember(tenant, 'viewer');
      expect(await names('', viewer.api)).toEqual(own);
    });

    it('filters by name and by text', async () => {
      expect(await names('?name=shop')).toEqual(['Shop']);
      expect(await names('?name=Sho')).toEqual([]);
      expect(await names('?name=')).toHaveLength(3);
      expect(await names('?query=SHOP')).toEqual(['Shop', 'Shopping list']);
      expect(await names('?query=shop&limit=1&offset=1')).toEqual(['Shopping list']);
      expect(await names(`?query=${shop.id.slice(0, 30)}`)).toContain('Shop');
      expect(await names(`?query=${shop.id.toUpperCase()}`)).toEqual(['Shop']);
    });

    it('takes wildcards of the database as plain text', async () => {
      expect(await names('?query=_100%25')).toEqual(['Bank_100%']);
      expect(await names('?query=%25')).toEqual(['Bank_100%']);
      expect(await names('?name=%25')).toEqual([]);
      expect(await names('?query=%5C')).toEqual([]);
    });

    it('is empty for a stranger and the billing role, and refused when it names the organization', async () => {
      const stranger = await createActor();
      const billing = await createMember(tenant, 'billing');
      expect(await names('', stranger.api)).toEqual([]);
      expect(await names('', billing.api)).toEqual([]);
      const path = `/v1/apps?organizationId=${tenant.organizationId}`;
      expectError(await stranger.api.get(path), 404, 'organization_not_found');
      expectError(await billing.api.get(path), 403, 'not_authorized');
    });

    it('refuses wrong parameters', async () => {
      const { api } = tenant.owner;
      expectInvalid(
        await api.get('/v1/apps?limit=0&offset=x&organizationId=1'),
        'limit',
        'offset',
        'organizationId',
      );
      expectInvalid(await api.get(`/v1/apps?query=${'x'.repeat(1001)}`), 'query');
      expectInvalid(await api.get('/v1/apps?name=a&name=b'), 'name');
      expectError(await new Api(api.origin, null).get('/v1/apps'), 401, 'not_authenticated');
    });
  });

  describe('one', () => {
    it('is unknown under a malformed id as under an unknown one', async () => {
      const { owner } = await createTenant();
      for (const id of ['unknown', uuid(), '1', 'latest']) {
        for (const method of ['get', 'patch', 'delete'] as const) {
          const response = await owner.api
            .request(method, `/v1/apps/${id}`)
            .send(method === 'patch' ? {} : undefined);
          expect(expectError(response, 404, 'app_not_found').message).toBe('App not found.');
        }
      }
    });

    it('is found under its id in upper case', async () => {
      const app = await createApp();
      const { body } = await app.api.get(`/v1/apps/${app.id.toUpperCase()}`);
      expect(body).toMatchObject({ id: app.id });
    });

    it('is read by viewers, and changed and deleted by administrators', async () => {
      const app = await createApp();
      for (const role of ['viewer', 'member'] as const) {
        const { api } = await createMember(app.tenant, role);
        expect((await api.get(app.path)).status).toBe(200);
        expectError(await api.patch(app.path, { name: 'Mine' }), 403);
        expectError(await api.delete(app.path), 403);
      }
      const { api } = await createMember(app.tenant, 'admin');
      expect((await api.patch(app.path, { name: 'Ours' })).body).toMatchObject({ name: 'Ours' });
      expect((await api.delete(app.path)).status).toBe(204);
    });
  });

  describe('update', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await createApp();
    });

    it('changes what is given and nothing else', async () => {
      const { body: before } = await app.api.get(app.path);
      const { body } = await app.api.patch(app.path, { type: 'ios', appChannelDiscoveryEnabled: true });
      expect(body).toEqual({
        ...(before as object),
        type: 'ios',
        appChannelDiscoveryEnabled: true,
        updatedAt: expect.any(String) as string,
      });
      const { updatedAt: _, ...same } = body as Record<string, unknown>;
      expect((await app.api.patch(app.path, {})).body).toMatchObject(same);
    });

    it('refuses wrong fields, all named', async () => {
      const body = {
        name: ' ',
        type: 'windows',
        appChannelId: 'default',
        appEnvironmentId: 'production',
        appEnvironmentName: ' ',
        buildStack: 'macos-monterey',
        runnerLabels: ['a b'],
        appChannelDiscoveryEnabled: 'yes',
        nextAppBuildNumber: '5',
      };
      expectInvalid(await app.api.patch(app.path, body), ...Object.keys(body));
    });

    it('sets and clears the default channel', async () => {
      const channel = await createChannel(app);
      for (const appChannelId of [channel.id, null, app.defaultChannelId]) {
        const { body } = await app.api.patch(app.path, { appChannelId });
        expect(body).toMatchObject({ appChannelId });
      }
    });

    it('refuses a default channel that the app does not have', async () => {
      const other = await createApp(app.tenant);
      for (const appChannelId of [other.defaultChannelId, uuid()]) {
        expectError(await app.api.patch(app.path, { appChannelId, name: 'Half' }), 404, 'channel_not_found');
      }
      expect((await app.api.get(app.path)).body).toMatchObject({
        appChannelId: app.defaultChannelId,
        name: 'Shop',
      });
    });

    it('loses its default channel with the channel', async () => {
      const own = await createApp();
      expect((await own.api.delete(`${own.path}/channels/${own.defaultChannelId}`)).status).toBe(204);
      expect((await own.api.get(own.path)).body).toMatchObject({ appChannelId: null });
    });
  });

  describe('build numbers', () => {
    it('go up from 1, and jump where they are set', async () => {
      const app = await createApp();
      const next = async (): Promise<unknown> =>
        ((await app.api.get(app.path)).body as { nextAppBuildNumber: unknown }).nextAppBuildNumber;
      const numberOf = async ({ buildId }: { buildId: string }): Promise<unknown> =>
        ((await app.api.get(`${app.path}/builds/${buildId}`)).body as { numberAsString: unknown })
          .numberAsString;

      expect(await numberOf(await registerBundle(app))).toBe('1');
      expect(await next()).toBe(2);
      await app.api.patch(app.path, { nextAppBuildNumber: 100 });
      expect(await numberOf(await registerBundle(app))).toBe('100');
      expect(await next()).toBe(101);
    });

    it('never repeat', async () => {
      const app = await createApp();
      await app.api.patch(app.path, { nextAppBuildNumber: 10 });
      // No build has a number yet, so it may go down again.
      expect((await app.api.patch(app.path, { nextAppBuildNumber: 7 })).status).toBe(200);
      await registerBundle(app);
      for (const nextAppBuildNumber of [7, 6, 1]) {
        expectInvalid(await app.api.patch(app.path, { nextAppBuildNumber }), 'nextAppBuildNumber');
      }
      expect((await app.api.patch(app.path, { nextAppBuildNumber: 8 })).status).toBe(200);
    });

    it('are different for builds that are created at once', async () => {
      const app = await createApp();
      const bundles = await Promise.all(Array.from({ length: 10 }, () => registerBundle(app)));
      const { body } = await app.api.get(`${app.path}/builds`);
      const numbers = (body as { numberAsString: string }[]).map(({ numberAsString }) =>
        Number(numberAsString),
      );
      expect(numbers.sort((a, b) => a - b)).toEqual(bundles.map((_, index) => index + 1));
    });

    it.each([0, -1, 1.5, 2_147_483_648, null, '2', true])('are not set to %j', async (nextAppBuildNumber) => {
      const app = await createApp();
      expectInvalid(await app.api.patch(app.path, { nextAppBuildNumber }), 'nextAppBuildNumber');
    });

    it('end somewhere, and then say so', async () => {
      const app = await createApp();
      await app.api.patch(app.path, { nextAppBuildNumber: 2_147_483_647 });
      const response = await app.api.post(`${app.path}/bundles`, { artifactType: 'zip' });
      expectError(response, 409, 'build_numbers_used_up');
    });
  });

  describe('delete', () => {
    it('takes everything in the app with it, and nothing else', async () => {
      const app = await createApp();
      const kept = await createApp(app.tenant, { name: uniqueName('kept') });
      for (const { id } of [app, kept]) {
        const one = id === app.id ? app : kept;
        const channel = await createChannel(one);
        await uploadBundle(one, { channelName: channel.name });
        await createDevice(one);
      }
      const response = await app.api.delete(app.path);
      expect({ status: response.status, body: response.text }).toEqual({ status: 204, body: '' });
      expectError(await app.api.delete(app.path), 404, 'app_not_found');
      expectError(await app.api.get(app.path), 404, 'app_not_found');
      const left = async (id: string): Promise<number[]> => {
        const tables = ['channels', 'builds', 'bundles', 'deployments', 'devices'];
        const sql = tables.map(
          (table) => `(SELECT count(*)::int FROM ${table} WHERE app_id = $1) AS ${table}`,
        );
        const [row = {}] = await query(testEnvironment().databaseUrl, `SELECT ${sql.join(', ')}`, [id]);
        return Object.values(row) as number[];
      };
      expect(await left(app.id)).toEqual([0, 0, 0, 0, 0]);
      expect(await left(kept.id)).toEqual([2, 1, 1, 1, 1]);
    });
  });
});
