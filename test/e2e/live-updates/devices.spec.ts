import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

describe('devices', () => {
  let app: TestApp;
  let channel: TestChannel;
  let path: string;

  beforeAll(async () => {
    app = await createApp();
    channel = await createChannel(app);
    path = `${app.path}/devices`;
  });

  const get = async (id: string, search = ''): Promise<Record<string, unknown>> =>
    (await app.api.get(`${path}/${encodeURIComponent(id)}${search}`)).body as Record<string, unknown>;

  describe('appear', () => {
    it('with their first check, with all that they report', async () => {
      const own = await createApp();
      const { deploymentId } = await registerBundle(own);
      const deviceId = randomUUID();
      expect((await own.api.get(`${own.path}/devices`)).body).toEqual([]);
      await checkForUpdate(own, { deviceId, customId: 'user 42', platform: '1', appVersionCode: '1.0.5' });
      const { body } = await own.api.get(`${own.path}/devices/${deviceId}`);
      expect(body).toEqual({
        id: deviceId,
        appId: own.id,
        appChannelId: own.defaultChannelId,
        appChannelName: 'default',
        forcedAppChannelId: null,
        forcedAppChannelName: null,
        appDeploymentId: deploymentId,
        offeredAt: expect.any(String) as string,
        appliedAt: null,
        rolledBackAt: null,
        bundleId: null,
        appVersionCode: '1.0.5',
        appVersionName: '1.0.0',
        osVersion: '34',
        pluginVersion: '8.4.3',
        platform: 1,
        customId: expect.stringMatching(/^user[ +]42$/) as string,
        sameCustomId: 1,
        runtime: null,
        country: null,
        lastSeenAt: expect.any(String) as string,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
      });
      expect((await own.api.get(`${own.path}/devices`)).body).toEqual([body]);
    });

    it('also when there is nothing for them, and follow what they report later', async () => {
      const deviceId = await createDevice(app, { customId: 'first' });
      const first = await get(deviceId);
      expect(first).toMatchObject({
        customId: 'first',
        appDeploymentId: null,
        appChannelId: app.defaultChannelId,
      });
      await createDevice(app, {
        deviceId,
        channelName: channel.name,
        appVersionName: '2.0.0',
        runtime: 'electron',
      });
      expect(await get(deviceId)).toMatchObject({
        createdAt: first['createdAt'],
        appChannelId: channel.id,
        appVersionName: '2.0.0',
        runtime: 'electron',
        customId: null,
      });
    });

    it('once for each app', async () => {
      const other = await createApp(app.tenant);
      const deviceId = await createDevice(app);
      await createDevice(other, { deviceId });
      await app.api.patch(`${path}/${deviceId}`, { forcedAppChannelId: channel.id });
      const { body } = await other.api.get(`${other.path}/devices/${deviceId}`);
      expect(body).toMatchObject({ appId: other.id, forcedAppChannelId: null });
    });

    it('not when a person asks for them', async () => {
      const deviceId = randomUUID();
      await app.api.get(`${app.path}/bundles/latest?platform=0&deviceId=${deviceId}`);
      expectError(await app.api.get(`${path}/${deviceId}`), 404, 'device_not_found');
    });

    it('under any id of letters, digits and a few characters', async () => {
      for (const deviceId of ['a', 'IOS-ID', '0', '..~my_phone:1.2', 'x'.repeat(255)]) {
        await createDevice(app, { deviceId });
        expect((await app.api.get(`${path}?id=${deviceId}`)).body).toMatchObject([{ id: deviceId }]);
        expect(await get(deviceId)).toMatchObject({ id: deviceId });
      }
    });

    it('not under an id that would be something else in a path, a shell or a log', async () => {
      const own = await createApp();
      const { id: bundleId } = await registerBundle(own);
      const ids = [
        '.',
        '..',
        '../bundles/1',
        '%2e%2e',
        'a b',
        'ümlaut',
        'a?b',
        'a\u001b[2J',
        "'; DROP TABLE devices;--",
      ];
      for (const deviceId of [...ids, 'x'.repeat(256)]) {
        const { status, body } = await checkForUpdate(own, { deviceId });
        expect([status, body]).toMatchObject([200, { bundleId }]);
      }
      expect((await own.api.get(`${own.path}/devices`)).body).toEqual([]);
    });
  });

  describe('list', () => {
    it('is last seen first, and filtered by id and text', async () => {
      const own = await createApp();
      const one = await createDevice(own, { customId: 'Ada_1' });
      const two = await createDevice(own, { customId: 'Grace' });
      await createDevice(own, { deviceId: one, customId: 'Ada_1' });
      const ids = async (search: string): Promise<string[]> =>
        ((await own.api.get(`${own.path}/devices${search}`)).body as { id: string }[]).map(({ id }) => id);
      expect(await ids('')).toEqual([one, two]);
      expect(await ids(`?id=${two}`)).toEqual([two]);
      expect(await ids(`?id=${two.slice(1)}`)).toEqual([]);
      expect(await ids(`?query=${two.slice(2, 20).toUpperCase()}`)).toEqual([two]);
      expect(await ids('?query=ada_')).toEqual([one]);
      expect(await ids('?query=%25')).toEqual([]);
      expect(await ids(`?id=${two}&query=grace`)).toEqual([two]);
      expect(await ids(`?id=${two}&query=ada`)).toEqual([]);
      expect(await ids('?id=&query=')).toHaveLength(2);
      expectInvalid(await own.api.get(`${own.path}/devices?id=a&id=b`), 'id');
    });

    it('is filtered by what devices reported, and when', async () => {
      const own = await createApp();
      const beta = await createChannel(own);
      const [bundle, other] = [await registerBundle(own), randomUUID()];
      const one = await createDevice(own, { platform: '0', appVersionCode: '10', bundleId: bundle.id });
      const two = await createDevice(own, { platform: '1', appVersionName: '2.0%', bundleId: other });
      const three = await createDevice(own, { platform: '2', channelName: beta.name });
      const list = async (search: string): Promise<Record<string, unknown>[]> =>
        (await own.api.get(`${own.path}/devices?${search}`)).body as Record<string, unknown>[];
      const ids = async (search: string): Promise<unknown[]> => (await list(search)).map(({ id }) => id);
      expect(await ids(`appChannelId=${beta.id}`)).toEqual([three]);
      expect(await ids(`appChannelId=${own.defaultChannelId}`)).toEqual([two, one]);
      expect(await ids(`bundleId=${bundle.id}`)).toEqual([one]);
      expect(await ids(`bundleId=${other}`)).toEqual([two]);
      expect(await ids('platform=1')).toEqual([two]);
      expect(await ids('appVersionName=2.0%25')).toEqual([two]);
      expect(await ids('appVersionName=2')).toEqual([]);
      expect(await ids('appVersionCode=10')).toEqual([three, two, one]);
      expect(await ids('appVersionCode=10&platform=0')).toEqual([one]);
      expect(await ids(`platform=0&query=${one.slice(0, 8)}`)).toEqual([one]);
      expect(await ids(`platform=1&query=${one.slice(0, 8)}`)).toEqual([]);
      const seenAt = (await list(`id=${two}`))[0]?.['lastSeenAt'] as string;
      expect(await ids(`lastSeenFrom=${seenAt}`)).toEqual([three, two]);
      expect(await ids(`lastSeenTo=${seenAt}`)).toEqual([one]);
      expect(await ids(`lastSeenFrom=${seenAt}&lastSeenTo=${seenAt}`)).toEqual([]);
      expect(await ids('platform=&appVersionCode=&bundleId=&lastSeenFrom=&appChannelId=')).toHaveLength(3);
      for (const [name, value] of Object.entries({
        platform: 'android',
        bundleId: '1',
        appChannelId: 'beta',
        lastSeenFrom: 'yesterday',
        lastSeenTo: '2030-02-30',
      }))
        expectInvalid(await own.api.get(`${own.path}/devices?${name}=${value}`), name);
    });

    it('shows when a device was offered a bundle, ran it and left it', async () => {
      const own = await createApp();
      const { id: bundleId, deploymentId } = await registerBundle(own);
      const show = async (): Promise<unknown> => (await own.api.get(`${own.path}/devices/${id}`)).body;
      const id = await createDevice(own);
      const time = expect.any(String) as string;
      const offered = { appDeploymentId: deploymentId, offeredAt: time };
      expect(await show()).toMatchObject({ ...offered, appliedAt: null, rolledBackAt: null, bundleId: null });
      await createDevice(own, { deviceId: id, bundleId });
      expect(await show()).toMatchObject({ ...offered, appliedAt: time, rolledBackAt: null, bundleId });
      await createDevice(own, { deviceId: id });
      expect(await show()).toMatchObject({ ...offered, appliedAt: time, rolledBackAt: time, bundleId: null });
      await own.api.delete(`${own.path}/bundles/${bundleId}`);
      expect(await show()).toMatchObject({
        appDeploymentId: null,
        offeredAt: null,
        appliedAt: null,
        rolledBackAt: null,
      });
    });

    it('comes with the channel when it is asked for', async () => {
      const id = await createDevice(app, { channelName: channel.name });
      expect(await get(id)).not.toHaveProperty('appChannel');
      expect(await get(id, '?relations=appChannel')).toMatchObject({
        appChannel: { id: channel.id, name: channel.name },
      });
      const list = await app.api.get(`${path}?relations=appChannel&id=${id}`);
      expect(list.body).toMatchObject([{ appChannel: { id: channel.id } }]);
      const lost = await createDevice(app, { channelName: 'unknown' });
      expect(await get(lost, '?relations=appChannel')).toMatchObject({
        appChannelId: null,
        appChannel: null,
      });
    });

    it('comes with the builds that devices run and were offered when these are asked for', async () => {
      const own = await createApp();
      const [older, newer] = [await registerBundle(own), await registerBundle(own)];
      await own.api.patch(`${own.path}/builds/${older.buildId}`, { displayName: '2.4.0' });
      const [id, other] = [await createDevice(own, { bundleId: older.id }), await createDevice(own)];
      const foreign = await createDevice(own, { bundleId: randomUUID() });
      const builds = { id: older.buildId, numberAsString: '1', displayName: '2.4.0' };
      const offered = { id: newer.buildId, numberAsString: '2', displayName: null };
      const show = async (): Promise<unknown> =>
        (await own.api.get(`${own.path}/devices?relations=appBuild,offeredAppBuild`)).body;
      expect(await show()).toMatchObject([
        { id: foreign, appBuild: null, offeredAppBuild: offered },
        { id: other, appBuild: null, offeredAppBuild: offered },
        { id, appBuild: builds, offeredAppBuild: offered },
      ]);
      const { body } = await own.api.get(`${own.path}/devices/${id}?relations=appBuild`);
      expect(body).toMatchObject({ appBuild: builds });
      expect(body).not.toHaveProperty('offeredAppBuild');
      await own.api.delete(`${own.path}/bundles/${newer.id}`);
      expect(await show()).toMatchObject([
        { offeredAppBuild: null },
        { offeredAppBuild: null },
        { appBuild: builds },
      ]);
    });

    it('forgets channels and deployments that are gone', async () => {
      const own = await createApp();
      const gone = await createChannel(own);
      await registerBundle(own, { channelName: gone.name });
      const id = await createDevice(own, { channelName: gone.name });
      const url = `${own.path}/devices/${id}`;
      await own.api.patch(url, { forcedAppChannelId: gone.id });
      expect((await own.api.delete(`${own.path}/channels/${gone.id}`)).status).toBe(204);
      expect((await own.api.get(url)).body).toMatchObject({
        appChannelId: null,
        appDeploymentId: null,
        forcedAppChannelId: null,
      });
    });
  });

  describe('of one custom id', () => {
    const list = async (own: TestApp): Promise<Record<string, unknown>> => {
      const { body } = await own.api.get(`${own.path}/devices?limit=100`);
      return Object.fromEntries(
        (body as { id: string; sameCustomId: unknown }[]).map(({ id, sameCustomId }) => [id, sameCustomId]),
      );
    };

    it('are counted in the list and on the device, each app for itself', async () => {
      const [own, other] = [await createApp(), await createApp()];
      for (const deviceId of ['old', 'older', 'new']) await createDevice(own, { deviceId, customId: 'Ada' });
      await createDevice(own, { deviceId: 'single', customId: 'ada' });
      await createDevice(own, { deviceId: 'none' });
      await createDevice(other, { deviceId: 'stranger', customId: 'Ada' });
      expect(await list(own)).toEqual({ old: 3, older: 3, new: 3, single: 1, none: null });
      expect(await list(other)).toEqual({ stranger: 1 });
      expect((await own.api.get(`${own.path}/devices/new`)).body).toMatchObject({ sameCustomId: 3 });
      const { body } = await own.api.patch(`${own.path}/devices/new`, { forcedAppChannelId: null });
      expect(body).toMatchObject({ sameCustomId: 3 });
    });

    it('are counted as hashes, too, and with those in clear of the same person', async () => {
      const own = await createApp();
      await own.api.patch(own.path, { customIdHashing: true });
      for (const deviceId of ['old', 'new']) await createDevice(own, { deviceId, customId: 'Ada' });
      expect(await list(own)).toEqual({ old: 2, new: 2 });
      await own.api.patch(own.path, { customIdHashing: false });
      await createDevice(own, { deviceId: 'new', customId: 'Ada' });
      // Of a hash alone, one cannot know what it was.
      expect(await list(own)).toEqual({ old: 1, new: 2 });
    });

    it('are counted up to a hundred', async () => {
      const own = await createApp();
      const template = await createDevice(own, { customId: 'guest' });
      await query(
        testEnvironment().databaseUrl,
        `INSERT INTO devices SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'guest-' || n))).*
         FROM devices d, generate_series(1, 150) AS n WHERE d.app_id = $1 AND d.id = $2`,
        [own.id, template],
      );
      expect(new Set(Object.values(await list(own)))).toEqual(new Set([100]));
    });
  });

  describe('force', () => {
    it('sends a device to a channel, whatever it asks for, until it is taken back', async () => {
      const own = await createApp();
      const other = await createChannel(own);
      const [inDefault, inOther] = [
        await registerBundle(own),
        await registerBundle(own, { channelName: other.name }),
      ];
      const deviceId = await createDevice(own);
      const url = `${own.path}/devices/${deviceId}`;
      const served = async (): Promise<unknown> =>
        ((await checkForUpdate(own, { deviceId })).body as { bundleId: unknown }).bundleId;
      expect(await served()).toBe(inDefault.id);
      const forced = await own.api.patch(url, { forcedAppChannelId: other.id });
      expect(forced.body).toMatchObject({
        id: deviceId,
        appChannelName: 'default',
        forcedAppChannelId: other.id,
        forcedAppChannelName: other.name,
      });
      expect(await served()).toBe(inOther.id);
      // Nothing given changes nothing.
      expect((await own.api.patch(url, {})).body).toMatchObject({ forcedAppChannelId: other.id });
      expect((await own.api.patch(url, { forcedAppChannelId: null })).body).toMatchObject({
        forcedAppChannelId: null,
      });
      expect(await served()).toBe(inDefault.id);
    });

    it('is refused for a channel that the app does not have', async () => {
      const id = await createDevice(app);
      const other = await createApp(app.tenant);
      for (const forcedAppChannelId of [other.defaultChannelId, uuid()]) {
        expectError(await app.api.patch(`${path}/${id}`, { forcedAppChannelId }), 404, 'channel_not_found');
        expectError(
          await app.api.patch(`${path}?ids=${id}`, { forcedAppChannelId }),
          404,
          'channel_not_found',
        );
      }
      expect(await get(id)).toMatchObject({ forcedAppChannelId: null });
    });
  });

  describe('force several', () => {
    const force = (ids: string, forcedAppChannelId: unknown): ReturnType<TestApp['api']['patch']> =>
      app.api.patch(`${path}?ids=${ids}`, { forcedAppChannelId });

    it('changes all of them, and back', async () => {
      const ids = [await createDevice(app), await createDevice(app)];
      for (const [list, expected] of [
        [ids.join(','), channel.id],
        [ids.join('%2C'), null],
        [`${ids[0]}, ${ids[1]},${ids[0]},`, channel.id],
      ] as const) {
        expect((await force(list.replaceAll(' ', '%20'), expected)).status).toBe(204);
        for (const id of ids) expect(await get(id)).toMatchObject({ forcedAppChannelId: expected });
      }
      expect((await app.api.patch(`${path}?ids=${ids.join(',')}`, {})).status).toBe(204);
      expect(await get(ids[0] ?? '')).toMatchObject({ forcedAppChannelId: channel.id });
    });

    it('changes all or none', async () => {
      const known = await createDevice(app);
      const other = await createApp(app.tenant);
      const foreign = await createDevice(other);
      for (const unknown of [uuid(), foreign]) {
        expectError(await force(`${known},${unknown}`, channel.id), 404, 'device_not_found');
        expectError(await app.api.patch(`${path}?ids=${known},${unknown}`, {}), 404, 'device_not_found');
      }
      expect(await get(known)).toMatchObject({ forcedAppChannelId: null });
      const { body } = await other.api.get(`${other.path}/devices/${foreign}`);
      expect(body).toMatchObject({ forcedAppChannelId: null });
    });

    it('changes all devices of a custom id, also of a hashed one, and no others', async () => {
      const [own, other] = [await createApp(), await createApp()];
      const target = await createChannel(own);
      for (const deviceId of ['old', 'new']) await createDevice(own, { deviceId, customId: 'Ada 1' });
      await createDevice(own, { deviceId: 'single', customId: 'ada 1' });
      await createDevice(other, { deviceId: 'stranger', customId: 'Ada 1' });
      const forceAda = async (forcedAppChannelId: string | null, customId = 'Ada 1'): Promise<number> =>
        (
          await own.api.patch(`${own.path}/devices?customId=${encodeURIComponent(customId)}`, {
            forcedAppChannelId,
          })
        ).status;
      const devices = async (): Promise<Record<string, string>[]> =>
        (await own.api.get(`${own.path}/devices`)).body as Record<string, string>[];
      const forced = async (): Promise<unknown[]> =>
        (await devices()).filter((each) => each['forcedAppChannelId'] === target.id).map(({ id }) => id);
      expect(await forceAda(target.id)).toBe(204);
      expect(await forced()).toEqual(['new', 'old']);
      const { body } = await other.api.get(`${other.path}/devices/stranger`);
      expect(body).toMatchObject({ forcedAppChannelId: null });
      // One that comes later is not forced.
      await createDevice(own, { deviceId: 'newest', customId: 'Ada 1' });
      expect(await forced()).toEqual(['new', 'old']);
      expect(await forceAda(null)).toBe(204);
      expect(await forced()).toEqual([]);
      await own.api.patch(own.path, { customIdHashing: true });
      await createDevice(own, { deviceId: 'new', customId: 'Ada 1' });
      expect(await forceAda(target.id)).toBe(204);
      expect((await forced()).sort()).toEqual(['new', 'newest', 'old']);
      const hash = (await devices()).find(({ id }) => id === 'new')?.['customId'] ?? '';
      expect(hash).toHaveLength(64);
      expect(await forceAda(null, hash)).toBe(204);
      expect(await forced()).not.toContain('new');
    });

    it('is refused for a custom id that no device or too many devices have, or with ids', async () => {
      const own = await createApp();
      const template = await createDevice(own, { customId: 'guest' });
      const force = (search: string) =>
        own.api.patch(`${own.path}/devices?${search}`, { forcedAppChannelId: own.defaultChannelId });
      expectError(await force('customId=unknown'), 404, 'device_not_found');
      expectInvalid(await force(`customId=guest&ids=${template}`), 'ids');
      for (const search of ['customId=', 'customId=a&customId=b', `customId=${'x'.repeat(256)}`])
        expectInvalid(await force(search), 'customId');
      await query(
        testEnvironment().databaseUrl,
        `INSERT INTO devices SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'guest-' || n))).*
         FROM devices d, generate_series(1, 1000) AS n WHERE d.app_id = $1 AND d.id = $2`,
        [own.id, template],
      );
      expectInvalid(await force('customId=guest'), 'customId');
      const forced = await query(
        testEnvironment().databaseUrl,
        'SELECT FROM devices WHERE app_id = $1 AND forced_channel_id IS NOT NULL',
        [own.id],
      );
      expect(forced).toEqual([]);
    });

    it('is refused without ids, with too many or with a wrong channel', async () => {
      for (const search of ['', '?ids', '?ids=', '?ids=,', '?ids=%20']) {
        expectInvalid(await app.api.patch(`${path}${search}`, { forcedAppChannelId: null }), 'ids');
      }
      expectInvalid(await force('x'.repeat(256), null), 'ids');
      const many = Array.from({ length: 1001 }, (_, index) => index).join(',');
      expectInvalid(await force(many, null), 'ids');
      expectInvalid(await force('a', 'production'), 'forcedAppChannelId');
    });

    it('is refused to those who may not', async () => {
      const id = await createDevice(app);
      const { owner } = await createTenant();
      const viewer = await createMember(app.tenant, 'viewer');
      const body = { forcedAppChannelId: null };
      expectError(await owner.api.patch(`${path}?ids=${id}`, body), 404, 'app_not_found');
      expectError(await viewer.api.patch(`${path}?ids=${id}`, body), 403, 'not_authorized');
    });
  });

  describe('delete', () => {
    it('forgets devices of any ids, also those that former versions recorded, and shows them escaped', async () => {
      const own = await createApp();
      const template = await createDevice(own);
      const recorded = ['..', '../..', 'a b/ü', "it's"];
      await query(
        testEnvironment().databaseUrl,
        `INSERT INTO devices SELECT (jsonb_populate_record(d, jsonb_build_object('id', each))).*
         FROM devices d, unnest($2::text[]) AS each WHERE d.app_id = $1 AND d.id = $3`,
        [own.id, recorded, template],
      );
      const list = async (): Promise<string[]> =>
        ((await own.api.get(`${own.path}/devices`)).body as { id: string }[]).map(({ id }) => id).sort();
      const shown = ['%2E%2E', '%2E%2E%2F%2E%2E', 'a%20b%2F%C3%BC', 'it%27s'];
      expect(await list()).toEqual([...shown, template].sort());
      const remove = (search: string) => own.api.delete(`${own.path}/devices${search}`);
      // As it is shown, in an address.
      expect((await remove(`?id=${shown[0]}&id=${shown[1]}&id=unknown`)).body).toEqual({ deleted: 2 });
      expect(await list()).toEqual([...shown.slice(2), template].sort());
      expect((await remove(`?id=${shown[2]}`)).body).toEqual({ deleted: 1 });
      expect((await remove(`?id=it's`)).body).toEqual({ deleted: 1 });
      expect(await list()).toEqual([template]);
    });

    it('deletes nothing without saying which, with two ways to say it, or with another parameter', async () => {
      const own = await createApp();
      const id = await createDevice(own, { customId: 'a' });
      const refused = [
        '',
        '?id',
        '?id=',
        '?customId=',
        `?id=${id}&customId=a`,
        `?id=${id}&query=a`,
        '?ids=a',
      ];
      for (const search of refused) expectError(await own.api.delete(`${own.path}/devices${search}`), 400);
      const many = Array.from({ length: 501 }, () => 'id=a').join('&');
      expectInvalid(await own.api.delete(`${own.path}/devices?${many}`), 'id');
      expect((await own.api.get(`${own.path}/devices`)).body).toMatchObject([{ id }]);
    });

    it.each(['customId=a', 'ids=a', 'id=a', 'name=a', 'channelName=a', 'x'])(
      'of the app or the organization is refused with ?%s, which belongs to a part of it',
      async (search) => {
        const own = await createApp();
        for (const whole of [own.path, `/v1/organizations/${own.tenant.organizationId}`]) {
          const response = await own.api.delete(`${whole}?${search}`);
          expectInvalid(response, search.split('=', 1)[0] ?? '');
          expect(response.body).toMatchObject({ message: expect.stringContaining('nothing was deleted') });
          expect((await own.api.get(whole)).status).toBe(200);
        }
      },
    );

    it('forgets a device, which comes back with its next check, without force', async () => {
      const deviceId = await createDevice(app);
      await app.api.patch(`${path}/${deviceId}`, { forcedAppChannelId: channel.id });
      expect((await app.api.delete(`${path}/${deviceId}`)).status).toBe(204);
      expectError(await app.api.get(`${path}/${deviceId}`), 404, 'device_not_found');
      await createDevice(app, { deviceId });
      expect(await get(deviceId)).toMatchObject({ forcedAppChannelId: null });
    });
  });
});
