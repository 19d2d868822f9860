import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { AndroidDevice } from '../support/devices/android.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';
import { rawGet } from '../support/devices/raw-get.js';

let app: TestApp;
let beta: string;

beforeAll(async () => {
  app = await createApp();
  ({ id: beta } = await createChannel(app, { name: 'beta' }));
});

const allow = (appChannelDiscoveryEnabled: boolean): Promise<unknown> =>
  app.api.patch(app.path, { appChannelDiscoveryEnabled });

describe.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
  ['Electron', ElectronDevice],
] as const)('channel discovery on %s', (_platform, Device) => {
  it('is refused unless the app allows it', async () => {
    await allow(false);
    const { status, headers, body } = await new Device({ appId: app.id }).fetchChannels();
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
    expect(JSON.parse(body.toString())).toMatchObject({ message: expect.any(String) });
  });

  it('shows names and ids, and nothing else', async () => {
    await allow(true);
    const { status, headers, body } = await new Device({ appId: app.id }).fetchChannels();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(body.toString())).toEqual([
      { id: beta, name: 'beta' },
      { id: app.defaultChannelId, name: 'default' },
    ]);
  });
});

describe('channel discovery', () => {
  it('is paged and searched as the device asks', async () => {
    await allow(true);
    const names = async (query: string): Promise<string[]> => {
      const { body } = await new AndroidDevice({ appId: app.id }).fetchChannels(query);
      return (JSON.parse(body.toString()) as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('?limit=1')).toEqual(['beta']);
    expect(await names('?limit=1&offset=1')).toEqual(['default']);
    expect(await names('?query=ET')).toEqual(['beta']);
    expect(await names('?query=unknown')).toEqual([]);
  });

  it('searches names only, and with a token ids, too', async () => {
    const own = await createApp();
    await own.api.patch(own.path, { appChannelDiscoveryEnabled: true });
    const [c1, c9] = [await createChannel(own, { name: 'c1' }), await createChannel(own, { name: 'c9' })];
    const searched = async (query: string): Promise<[discovered: string[], listed: string[]]> => {
      const { body } = await new AndroidDevice({ appId: own.id }).fetchChannels(`?query=${query}`);
      const listed = await own.api.get(`${own.path}/channels?query=${query}`);
      const namesOf = (channels: unknown): string[] =>
        (channels as { name: string }[]).map(({ name }) => name);
      return [namesOf(JSON.parse(body.toString())), namesOf(listed.body)];
    };
    expect(await searched('C')).toEqual([['c1', 'c9'], expect.arrayContaining(['c1', 'c9'])]);
    expect(await searched('c1')).toEqual([['c1'], expect.arrayContaining(['c1'])]);
    for (const { id, name } of [c1, c9]) expect(await searched(id.slice(3, 30))).toEqual([[], [name]]);
    expect(await searched('c1&name=c9')).toEqual([[], expect.not.arrayContaining(['c1'])]);
    expect(await searched('1&name=C1&limit=1')).toEqual([['c1'], ['c1']]);
    for (const wildcard of ['%25', '_', '%5C']) expect(await searched(wildcard)).toEqual([[], []]);
  });

  it('finds a name with a plus sign or a space, however the device writes them', async () => {
    const own = await createApp();
    await own.api.patch(own.path, { appChannelDiscoveryEnabled: true });
    for (const name of ['beta 1+2', 'beta 1 2']) await createChannel(own, { name });
    const found = async (query: string): Promise<string[]> => {
      const { body } = await new IosDevice({ appId: own.id }).fetchChannels(`?query=${query}`);
      return (JSON.parse(body.toString()) as { name: string }[]).map(({ name }) => name);
    };
    expect(await found('1%2B2')).toEqual(['beta 1+2']);
    expect(await found('1+2')).toEqual(['beta 1 2', 'beta 1+2']);
    expect(await found('a+1%202')).toEqual(['beta 1 2']);
    expect(await found('%25')).toEqual([]);
  });

  it('shows whole channels to a caller with a token, and refuses a wrong token even where it is allowed', async () => {
    await allow(true);
    const path = `${app.path}/channels`;
    expect((await app.api.get(path)).body[0]).toMatchObject({ name: 'beta', totalAppDeployments: 0 });
    const wrong = await rawGet(app.api.origin, path, { Authorization: 'Bearer ca_wrong' });
    expect(wrong.status).toBe(401);
    const stranger = await createApp();
    expect((await stranger.api.get(path)).status).toBe(404);
  });

  it('answers an unknown app like one that forbids it', async () => {
    await allow(false);
    const forbidden = await rawGet(app.api.origin, `${app.path}/channels`);
    const unknown = await rawGet(app.api.origin, `/v1/apps/${beta}/channels`);
    expect([forbidden.status, unknown.status]).toEqual([401, 401]);
  });
});
