import { v4 as uuid, v7 as uuid7 } from 'uuid';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { type Published, publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';

let app: TestApp;
let published: Published;

beforeAll(async () => {
  app = await createApp();
  published = await publishZip(app, { 'index.html': '1' });
});

function check(query: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return rawGet(app.api.origin, `${app.path}/bundles/latest${query}`, headers);
}

const jsonOf = ({ body }: RawResponse): Record<string, unknown> =>
  JSON.parse(body.toString()) as Record<string, unknown>;

const devicePathOf = (of: TestApp, id: string): string => `${of.path}/devices/${encodeURIComponent(id)}`;
const devicePath = (id: string): string => devicePathOf(app, id);

describe('a check', () => {
  it.each([
    ['without values', '?appVersionCode&appVersionName&bundleId&channelName&customId&deviceId&osVersion'],
    ['with empty values', '?appVersionCode=&appVersionName=&bundleId=&channelName=&customId=&deviceId='],
    ['without parameters', '?'],
    ['with unknown parameters', '?foo=bar&__proto__=1&constructor[prototype]=2&a%5B%5D=1'],
    ['with a bundle that does not exist', '?bundleId=unknown'],
  ])('%s is answered', async (_what, query) => {
    const answer = await check(`${query}&platform=0`);
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toMatchObject({ bundleId: published.id });
  });

  it.each([
    '',
    '?',
    '?platform',
    '?platform=',
    '?platform=9',
    '?platform=-1',
    '?platform=android',
    '?platform=00',
  ])('whose platform is %j gets 400', async (query) => {
    const answer = await check(query);
    expect(answer.status).toBe(400);
    expect(jsonOf(answer)).toMatchObject({
      message: expect.stringContaining('platform'),
      errors: [{ field: 'platform' }],
    });
  });

  it.each(['%', '%zz', '%ff', '%ed%a0%80'])('with %s in a value gets 400', async (value) => {
    const answer = await check(`?platform=0&channelName=${value}`);
    expect(answer.status).toBe(400);
    expect(jsonOf(answer)).toMatchObject({ message: expect.any(String) });
  });

  describe.each([
    ['is longer than any other', 'x'.repeat(10_000)],
    ['is one character too long', 'x'.repeat(256)],
    ['contains U+0000', 'x%00'],
  ])('with a value that %s', (_what, value) => {
    it.each([
      'appVersionCode',
      'appVersionName',
      'bundleId',
      'customId',
      'deviceId',
      'osVersion',
      'pluginVersion',
      'runtime',
      'unknown',
    ])('as %s is answered', async (name) => {
      const answer = await check(`?platform=0&${name}=${value}`);
      expect(answer.status).toBe(200);
      expect(jsonOf(answer)).toMatchObject({ bundleId: published.id });
    });

    it('as channelName gets 404, as for an unknown channel', async () => {
      const answer = await check(`?platform=0&channelName=${value}`);
      expect(answer.status).toBe(404);
      expect(jsonOf(answer)).toMatchObject({ code: 'channel_not_found' });
      const blanks = await check(`?platform=0&channelName=default${'+'.repeat(300)}`);
      expect(blanks.status).toBe(404);
    });

    it('as platform gets 400', async () => {
      expect((await check(`?platform=${value}`)).status).toBe(400);
    });

    it('as the id in the header is answered, and not recorded', async () => {
      const own = await createApp();
      const headers = { 'X-Capawesome-Device-Id': value };
      const answer = await rawGet(own.api.origin, `${own.path}/bundles/latest?platform=0`, headers);
      expect(answer.status).toBe(404);
      expect((await own.api.get(`${own.path}/devices`)).body).toEqual([]);
    });
  });

  it('for an unknown or malformed app gets 404', async () => {
    for (const id of [uuid7(), 'unknown', '%20']) {
      const answer = await rawGet(app.api.origin, `/v1/apps/${id}/bundles/latest?platform=0`);
      expect(answer.status).toBe(404);
      expect(jsonOf(answer)).toMatchObject({ message: 'App not found.' });
    }
  });

  it('with a wrong token gets 401', async () => {
    const answer = await check('?platform=0', { Authorization: 'Bearer ca_wrong' });
    expect(answer.status).toBe(401);
  });

  it('of a device that is up to date is answered with the same bundle', async () => {
    const { body } = await check(`?platform=1&bundleId=${published.id}`);
    expect(JSON.parse(body.toString())).toMatchObject({ bundleId: published.id });
  });
});

describe('the record of a device', () => {
  it('shows what an Android device has said', async () => {
    const { id: channelId } = await createChannel(app, { name: 'Android channel' });
    const device = new AndroidDevice({
      appId: app.id,
      channelName: 'Android channel',
      customId: 'user + 42',
      appVersionCode: '110',
      appVersionName: '11.0 β',
      osVersion: '34',
      pluginVersion: '8.4.3',
    });
    await device.check();
    const { body } = await app.api.get(`${devicePath(device.deviceId)}?relations=appChannel`);
    expect(body).toEqual({
      id: device.deviceId,
      appId: app.id,
      appChannelId: channelId,
      appChannel: expect.objectContaining({ id: channelId, name: 'Android channel' }),
      appChannelName: 'Android channel',
      forcedAppChannelId: null,
      forcedAppChannelName: null,
      appDeploymentId: null,
      appVersionCode: '110',
      appVersionName: '11.0 β',
      osVersion: '34',
      pluginVersion: '8.4.3',
      platform: 0,
      customId: 'user + 42',
      sameCustomId: 1,
      runtime: null,
      country: null,
      bundleId: null,
      offeredAt: null,
      appliedAt: null,
      rolledBackAt: null,
      lastSeenAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('shows what iOS and Electron devices have said', async () => {
    const ios = new IosDevice({ appId: app.id, customId: 'a+b c', appVersionCode: '1.0.5' });
    const electron = new ElectronDevice({ appId: app.id, customId: 'a+b c' });
    await Promise.all([ios.check(), electron.check()]);
    const common = {
      appChannelId: app.defaultChannelId,
      appDeploymentId: published.deploymentId,
      customId: 'a+b c',
    };
    expect((await app.api.get(devicePath(ios.deviceId))).body).toMatchObject({
      ...common,
      appVersionCode: '1.0.5',
      osVersion: '17.5',
      platform: 1,
      runtime: null,
    });
    expect((await app.api.get(devicePath(electron.deviceId))).body).toMatchObject({
      ...common,
      appVersionCode: '1.2.3',
      pluginVersion: '0.2.0',
      platform: 2,
      runtime: 'electron',
    });
  });

  it('follows the device, and forgets what it no longer says', async () => {
    const deviceId = uuid();
    const before = { appId: app.id, deviceId, customId: 'user', channelName: 'default', appVersionCode: '1' };
    await new AndroidDevice(before).check();
    const first = (await app.api.get(devicePath(deviceId))).body;
    await new AndroidDevice({ appId: app.id, deviceId, channelName: 'unknown', appVersionCode: '2' }).check();
    const second = (await app.api.get(devicePath(deviceId))).body;
    expect(second).toMatchObject({
      customId: null,
      appChannelId: null,
      appDeploymentId: null,
      appVersionCode: '2',
      createdAt: first.createdAt,
    });
    expect(Date.parse(second.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(first.lastSeenAt));
  });

  it('is made under the id of the header when the query has none', async () => {
    const inHeader = uuid();
    const inQuery = uuid();
    await check('?platform=0&deviceId', { 'X-Capawesome-Device-Id': inHeader });
    expect((await app.api.get(devicePath(inHeader))).body).toMatchObject({ id: inHeader, platform: 0 });
    const both = uuid();
    await check(`?platform=0&deviceId=${inQuery}`, { 'X-Capawesome-Device-Id': both });
    expect((await app.api.get(devicePath(inQuery))).status).toBe(200);
    expect((await app.api.get(devicePath(both))).status).toBe(404);
  });

  it('is made once by checks at the same time', async () => {
    const device = new AndroidDevice({ appId: app.id });
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.check()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await app.api.get(`${app.path}/devices?id=${device.deviceId}`)).body).toHaveLength(1);
  });

  it('is of one app, also when several apps of a vendor share the id of the device', async () => {
    const other = await createApp();
    const deviceId = uuid();
    await new IosDevice({ appId: app.id, deviceId, customId: 'here' }).check();
    await new IosDevice({ appId: other.id, deviceId, customId: 'there' }).check();
    expect((await app.api.get(devicePath(deviceId))).body.customId).toBe('here');
    expect((await other.api.get(`${other.path}/devices/${deviceId}`)).body.customId).toBe('there');
  });

  it('is neither made nor touched by a check with a token', async () => {
    const device = new AndroidDevice({ appId: app.id, customId: 'before' });
    const unknown = uuid();
    const headers = { Authorization: `Bearer ${app.tenant.owner.token}` };
    await device.check();
    const before = (await app.api.get(devicePath(device.deviceId))).body;
    for (const id of [device.deviceId, unknown]) {
      const answer = await check(`?platform=1&customId=after&deviceId=${id}`, headers);
      expect(jsonOf(answer)).toMatchObject({ bundleId: published.id });
    }
    expect((await app.api.get(devicePath(device.deviceId))).body).toEqual(before);
    expect((await app.api.get(devicePath(unknown))).status).toBe(404);
  });

  it('has values that are too long in cut form, and no custom id that is', async () => {
    const deviceId = uuid();
    const long = '9'.repeat(300);
    const names = ['appVersionName', 'osVersion', 'pluginVersion', 'runtime'];
    const query = names.map((name) => `&${name}=${long}`).join('');
    await check(`?platform=0&deviceId=${deviceId}&customId=${long}&appVersionCode=${long}${query}`);
    const { body } = await app.api.get(devicePath(deviceId));
    const cut = '9'.repeat(255);
    expect(body).toMatchObject({
      customId: null,
      appVersionName: cut,
      osVersion: cut,
      pluginVersion: cut,
      runtime: cut,
      appVersionCode: expect.stringMatching(/^9{254}[^9]$/) as string,
      appDeploymentId: published.deploymentId,
    });
    await check(`?platform=0&deviceId=${deviceId}&osVersion=1%00%004&customId=a%00b&runtime=%00`);
    expect((await app.api.get(devicePath(deviceId))).body).toMatchObject({
      osVersion: '14',
      customId: null,
      runtime: null,
    });
  });

  it('is not made for a device whose id is too long or contains U+0000', async () => {
    const own = await createApp();
    const [long, nul] = ['d'.repeat(256), 'd%00'];
    for (const id of [long, nul]) {
      const path = `${own.path}/bundles/latest?platform=0&deviceId=${id}`;
      expect((await rawGet(own.api.origin, path)).status).toBe(404);
    }
    expect((await own.api.get(`${own.path}/devices`)).body).toEqual([]);
  });

  it('explains the same decision that was made, also of values that are cut', async () => {
    const own = await createApp();
    await publishZip(own, { 'index.html': '2' }, { values: { minAndroidAppVersionCode: '5' } });
    const deviceId = uuid();
    const values = [`appVersionCode=${'9'.repeat(300)}`, 'appVersionCode=9%00', 'channelName=default%00'];
    for (const value of [...values, `channelName=default${'%20'.repeat(300)}&appVersionCode=5`]) {
      const path = `${own.path}/bundles/latest?platform=0&deviceId=${deviceId}&${value}`;
      expect((await rawGet(own.api.origin, path)).status).toBe(404);
      const { body } = await own.api.get(`${devicePathOf(own, deviceId)}/decision`);
      expect(body).toMatchObject({ reason: expect.not.stringMatching('served') as string });
    }
  });

  it('is not made for a device without id', async () => {
    const lonely = await createApp();
    await new IosDevice({ appId: lonely.id, deviceId: '' }).check();
    expect((await lonely.api.get(`${lonely.path}/devices`)).body).toEqual([]);
  });
});
