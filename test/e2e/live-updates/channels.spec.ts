import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';
import { PageScript } from '../../support/http/page-script.js';
import { uniqueName } from '../../support/unique-name.js';

describe('channels', () => {
  let app: TestApp;
  let path: string;

  beforeAll(async () => {
    app = await createApp();
    path = `${app.path}/channels`;
  });

  const create = (values: object): ReturnType<Api['post']> =>
    app.api.post(path, { name: uniqueName('channel'), ...values });
  const get = async (id: string, search = ''): Promise<Record<string, unknown>> =>
    (await app.api.get(`${path}/${id}${search}`)).body as Record<string, unknown>;

  describe('create', () => {
    it('answers all fields', async () => {
      const name = uniqueName('production');
      const { status, body } = await create({ name });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String) as string,
        appId: app.id,
        name,
        appDeploymentId: null,
        lastGood: null,
        expiresAt: null,
        pausedAt: null,
        protectedAt: null,
        requiredApprovals: 0,
        freezeWindows: [],
        allowedRefs: [],
        bundleRetentionCount: null,
        rollbackLimit: 2,
        totalAppDeployments: 0,
        totalAppDevices: 0,
        comment: null,
        updatedBy: { id: app.tenant.owner.userId, name: null, email: app.tenant.owner.email },
        warnings: [],
        etag: `"${(body as { id: string }).id}.1."`,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
      });
      expect(await get((body as { id: string }).id)).toEqual(body);
    });

    it('knows a name again in any case, and however its accents are composed', async () => {
      const name = uniqueName('Grün');
      await create({ name });
      for (const same of [name.toUpperCase(), name.toLowerCase(), name.normalize('NFD'), ` ${name} `]) {
        const response = await create({ name: same });
        expect(expectError(response, 409, 'channel_name_taken').message).toBe(
          'A channel with this name already exists.',
        );
      }
    });

    it.each([
      ['2030-01-02T03:04:05.678Z', '2030-01-02T03:04:05.678Z'],
      ['2030-01-02T03:04:05+02:00', '2030-01-02T01:04:05.000Z'],
      ['2030-01-02', '2030-01-02T00:00:00.000Z'],
      [1_893_553_445_678, '2030-01-02T03:04:05.678Z'],
      ['1999-01-01T00:00:00Z', '1999-01-01T00:00:00.000Z'],
      [null, null],
    ])('takes %j for expiresAt', async (expiresAt, expected) => {
      expect((await create({ expiresAt })).body).toMatchObject({ expiresAt: expected });
    });

    it.each(['', 'tomorrow', '2030-13-01', '2030-02-30T00:00:00Z', '1893553445678', -1, 1e300, true, {}, []])(
      'refuses %j for expiresAt',
      async (expiresAt) => {
        expectInvalid(await create({ expiresAt }), 'expiresAt');
      },
    );

    it('takes seconds for what they are', async () => {
      const { body } = await create({ expiresAt: 1_798_790_400 });
      expect(body).toMatchObject({
        status: 400,
        message:
          'expiresAt must be an ISO 8601 date or Unix milliseconds: 1798790400 is 1970-01-21T19:39:50.400Z, so it seems to be in seconds, not milliseconds.',
      });
    });

    it.each([null, 'true', 1])('refuses %j for protected', async (value) => {
      expectInvalid(await create({ protected: value }), 'protected');
    });
  });

  describe('update', () => {
    it('changes what is given and nothing else', async () => {
      const { id } = await createChannel(app, { expiresAt: '2030-01-01T00:00:00Z' });
      const before = await get(id);
      const name = uniqueName('renamed');
      const { body } = await app.api.patch(`${path}/${id}`, { name });
      const etag = `"${id}.2."`;
      expect(body).toEqual({ ...before, name, etag, updatedAt: expect.any(String) as string });
      const cleared = await app.api.patch(`${path}/${id}`, { expiresAt: null });
      expect(cleared.body).toMatchObject({ name, expiresAt: null });
    });

    it('may change the case of its own name', async () => {
      const { id, name } = await createChannel(app);
      const { status, body } = await app.api.patch(`${path}/${id}`, { name: name.toUpperCase() });
      expect(status).toBe(200);
      expect(body).toMatchObject({ name: name.toUpperCase() });
    });

    it('keeps the time since when it is protected', async () => {
      const { id } = await createChannel(app, { protected: true });
      const { protectedAt } = await get(id);
      expect(protectedAt).toEqual(expect.any(String));
      const again = await app.api.patch(`${path}/${id}`, { protected: true });
      expect(again.body).toMatchObject({ protectedAt });
      expect((await app.api.patch(`${path}/${id}`, { name: uniqueName('x') })).body).toMatchObject({
        protectedAt,
      });
      const off = await app.api.patch(`${path}/${id}`, { protected: false });
      expect(off.body).toMatchObject({ protectedAt: null });
    });
  });

  describe('pause and resume', () => {
    it.each([
      ['with {}', {}],
      ['without a body', undefined],
    ])('work %s, and again', async (_how, body) => {
      const { id } = await createChannel(app);
      const times: unknown[] = [];
      for (let round = 0; round < 2; round++) {
        expect((await app.api.post(`${path}/${id}/pause`, body)).status).toBe(204);
        times.push((await get(id))['pausedAt']);
      }
      expect(times).toEqual([expect.any(String), times[0]]);
      for (let round = 0; round < 2; round++) {
        expect((await app.api.post(`${path}/${id}/resume`, body)).status).toBe(204);
        expect((await get(id))['pausedAt']).toBeNull();
      }
    });

    it('take an empty body of any content type, as clients send it', async () => {
      const { id } = await createChannel(app);
      for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/plain']) {
        const response = await app.api
          .request('post', `${path}/${id}/pause`)
          .set({ 'Content-Type': type, 'Content-Length': '0' });
        expect(response.status).toBe(204);
      }
    });

    it('stop delivery and start it again', async () => {
      const own = await createApp();
      await registerBundle(own);
      const channel = `${own.path}/channels/${own.defaultChannelId}`;
      await own.api.post(`${channel}/pause`);
      expect((await checkForUpdate(own, {})).status).toBe(404);
      await own.api.post(`${channel}/resume`);
      expect((await checkForUpdate(own, {})).status).toBe(200);
    });

    it('are refused for what the caller cannot see or may not change', async () => {
      const { id } = await createChannel(app);
      const { owner: stranger } = await createTenant();
      const viewer = await createMember(app.tenant, 'viewer');
      const other = await createApp(app.tenant);
      for (const verb of ['pause', 'resume']) {
        expectError(await app.api.post(`${path}/${uuid()}/${verb}`), 404, 'channel_not_found');
        expectError(await app.api.post(`${path}/unknown/${verb}`), 404, 'channel_not_found');
        expectError(await app.api.post(`${other.path}/channels/${id}/${verb}`), 404, 'channel_not_found');
        expectError(await stranger.api.post(`${path}/${id}/${verb}`), 404, 'app_not_found');
        expectError(await viewer.api.post(`${path}/${id}/${verb}`), 403, 'not_authorized');
        expectError(await new Api(app.api.origin, null).post(`${path}/${id}/${verb}`), 401);
        expectError(await app.api.request('get', `${path}/${id}/${verb}`), 405, 'method_not_allowed');
      }
      expect((await get(id))['pausedAt']).toBeNull();
    });
  });

  describe('delete by name', () => {
    it('deletes the channel of that name, in any case, once', async () => {
      const { id, name } = await createChannel(app, { name: `${uniqueName('Émile')} & Söhne+1` });
      const url = `${path}?name=${encodeURIComponent(name.toUpperCase())}`;
      expect((await app.api.delete(url)).status).toBe(204);
      expectError(await app.api.delete(url), 404, 'channel_not_found');
      expectError(await app.api.get(`${path}/${id}`), 404, 'channel_not_found');
    });

    it('takes a plus sign for a space', async () => {
      const { name } = await createChannel(app, { name: `${uniqueName('two')} words` });
      expect((await app.api.delete(`${path}?name=${name.replace(' ', '+')}`)).status).toBe(204);
    });

    it('never deletes without a name', async () => {
      const before = (await app.api.get(path)).headers['x-total-count'];
      for (const search of ['', '?name', '?name=', '?name=a&name=b']) {
        expectInvalid(await app.api.delete(`${path}${search}`), 'name');
      }
      expectInvalid(await app.api.delete(`${path}?query=channel`), 'query');
      expectError(await app.api.delete(`${path}?name=%25`), 404, 'channel_not_found');
      expect((await app.api.get(path)).headers['x-total-count']).toBe(before);
    });

    it('leaves channels of other apps alone', async () => {
      const other = await createApp(app.tenant);
      const { name } = await createChannel(other);
      expectError(await app.api.delete(`${path}?name=${name}`), 404, 'channel_not_found');
      const viewer = await createMember(app.tenant, 'viewer');
      expectError(await viewer.api.delete(`${path}?name=${name}`), 403, 'not_authorized');
      expect((await other.api.get(`${other.path}/channels?name=${name}`)).body).toHaveLength(1);
    });
  });

  describe('list', () => {
    it('is in the order of names, whatever their case', async () => {
      const own = await createApp();
      for (const name of ['beta', 'Alpha', 'gamma']) await createChannel(own, { name });
      const { body } = await own.api.get(`${own.path}/channels`);
      expect((body as { name: string }[]).map(({ name }) => name)).toEqual([
        'Alpha',
        'beta',
        'default',
        'gamma',
      ]);
    });

    it('filters by name and by text', async () => {
      const own = await createApp();
      const { id } = await createChannel(own, { name: 'Production-1.0_a' });
      await createChannel(own, { name: 'staging' });
      const names = async (search: string): Promise<string[]> =>
        ((await own.api.get(`${own.path}/channels${search}`)).body as { name: string }[]).map(
          ({ name }) => name,
        );
      expect(await names('?name=production-1.0_A')).toEqual(['Production-1.0_a']);
      expect(await names('?name=production')).toEqual([]);
      expect(await names('?query=ION')).toEqual(['Production-1.0_a']);
      expect(await names('?query=_')).toEqual(['Production-1.0_a']);
      expect(await names('?query=%25')).toEqual([]);
      expect(await names(`?query=${id.toUpperCase()}`)).toEqual(['Production-1.0_a']);
      expect(await names('?name=staging&query=prod')).toEqual([]);
      expect(await names('?name=&query=')).toHaveLength(3);
    });

    it('never holds more than 100', async () => {
      const own = await createApp();
      await query(
        testEnvironment().databaseUrl,
        `INSERT INTO channels (id, app_id, name, name_lower)
         SELECT gen_random_uuid(), $1, 'c' || n, 'c' || n FROM generate_series(1, 120) n`,
        [own.id],
      );
      const length = async (search: string): Promise<number> =>
        ((await own.api.get(`${own.path}/channels${search}`)).body as unknown[]).length;
      expect(await length('')).toBe(50);
      expect(await length('?limit=1000')).toBe(100);
      expect(await length('?limit=100&offset=100')).toBe(21);
    });
  });

  describe('totals and the active deployment', () => {
    it('follow what happens', async () => {
      const own = await createApp();
      const { id, name } = await createChannel(own);
      const older = await createDeployment(own, { appChannelId: id });
      const newer = await createDeployment(own, { appChannelId: id });
      await createDevice(own, { channelName: name });
      await createDevice(own, { channelName: name });
      await createDevice(own);
      const url = `${own.path}/channels/${id}`;
      expect((await own.api.get(url)).body).toMatchObject({
        appDeploymentId: newer.id,
        totalAppDeployments: 2,
        totalAppDevices: 2,
      });
      const rollback = await createDeployment(own, { appChannelId: id, appBuildId: older.appBuildId });
      expect((await own.api.get(url)).body).toMatchObject({
        appDeploymentId: rollback.id,
        totalAppDeployments: 3,
      });
    });

    it('come with the deployment when it is asked for', async () => {
      const own = await createApp();
      const { id, name } = await createChannel(own);
      const url = `${own.path}/channels/${id}`;
      expect((await own.api.get(url)).body).not.toHaveProperty('appDeployment');
      expect((await own.api.get(`${url}?relations=appDeployment`)).body).toMatchObject({
        appDeployment: null,
      });
      const { id: deploymentId } = await createDeployment(own, { appChannelId: id });
      for (const relations of ['appDeployment', 'unknown,appDeployment', 'appDeployment%2Cjob']) {
        expect((await own.api.get(`${url}?relations=${relations}`)).body).toMatchObject({
          appDeployment: { id: deploymentId, appChannelId: id, appChannelName: name },
        });
      }
      const list = await own.api.get(`${own.path}/channels?relations=appDeployment&name=${name}`);
      expect(list.body).toMatchObject([{ appDeployment: { id: deploymentId } }]);
    });
  });

  describe('discovery', () => {
    const anonymous = new Api(testEnvironment().origin, null);
    let open: TestApp;

    beforeAll(async () => {
      open = await createApp();
      await createChannel(open, { name: 'production', protected: true });
      await createChannel(open, { name: 'staging' });
      await open.api.patch(open.path, { appChannelDiscoveryEnabled: true });
    });

    it('shows devices the ids and names of the channels, and nothing else', async () => {
      const response = await anonymous.get(`${open.path}/channels?limit=50&offset=0`);
      expect(response.status).toBe(200);
      expect(response.body).toEqual(
        ['default', 'production', 'staging'].map((name) => ({ id: expect.any(String) as string, name })),
      );
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it('takes limit, offset and query as devices send them', async () => {
      const names = async (search: string): Promise<string[]> =>
        ((await anonymous.get(`${open.path}/channels${search}`)).body as { name: string }[]).map(
          ({ name }) => name,
        );
      expect(await names('?limit=1&offset=1')).toEqual(['production']);
      expect(await names('?query=STAG&limit=50&offset=0')).toEqual(['staging']);
      expect(await names('?query&limit&offset')).toHaveLength(3);
      expectInvalid(await anonymous.get(`${open.path}/channels?limit=0`), 'limit');
      // What is not for devices is not for them by a relation either.
      const [first] = (await anonymous.get(`${open.path}/channels?relations=appDeployment`)).body as object[];
      expect(Object.keys(first ?? {}).sort()).toEqual(['id', 'name']);
    });

    it('is refused while the app does not allow it, and for an app that does not exist', async () => {
      for (const appId of [app.id, uuid()]) {
        const response = await anonymous.get(`/v1/apps/${appId}/channels`);
        expectError(response, 401, 'not_authenticated');
        expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
      }
      await app.api.patch(app.path, { appChannelDiscoveryEnabled: true });
      expect((await anonymous.get(path)).status).toBe(200);
      await app.api.patch(app.path, { appChannelDiscoveryEnabled: false });
      expect((await anonymous.get(path)).status).toBe(401);
    });

    it('is the normal list for a token that may read it', async () => {
      const [first] = (await open.api.get(`${open.path}/channels`)).body as object[];
      expect(first).toHaveProperty('totalAppDevices');
    });

    it('is the normal list for a page, and discovery for a browser without its header', async () => {
      const person = await createPerson();
      const script = await PageScript.of(await signedInBrowser(person));
      const list = (headers: Readonly<Record<string, string | null>> = {}) =>
        script.send('get', `${open.path}/channels`, headers);
      expectError(await list(), 404, 'app_not_found');
      await query(
        testEnvironment().databaseUrl,
        `INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'viewer')`,
        [uuid(), open.tenant.organizationId, person.userId],
      );
      const response = await list();
      expectOpenApi('get', `${open.path}/channels`, response);
      expect(response.headers['cache-control']).toBe('private, no-cache');
      expect((response.body as object[])[0]).toHaveProperty('totalAppDevices');
      const discovered = await list({ 'X-CSRF-Token': null });
      expect(discovered.headers['cache-control']).toBe('no-store');
      expect(Object.keys((discovered.body as object[])[0] ?? {})).toEqual(['id', 'name']);
    });

    it('is refused with a token that is not valid or has no access', async () => {
      expectError(
        await new Api(anonymous.origin, 'ca_wrong').get(`${open.path}/channels`),
        401,
        'invalid_token',
      );
      const { owner } = await createTenant();
      expectError(await owner.api.get(`${open.path}/channels`), 404, 'app_not_found');
    });

    it('opens nothing but the list', async () => {
      const url = `${open.path}/channels`;
      expectError(await anonymous.get(`${url}/${open.defaultChannelId}`), 401);
      expectError(await anonymous.post(url, { name: 'mine' }), 401);
      expectError(await anonymous.delete(`${url}?name=default`), 401);
    });
  });
});
