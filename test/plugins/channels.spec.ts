import { generateKeyPairSync } from 'node:crypto';
import type { TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { type Published, publishZip } from '../builders/publication.js';
import type { Files } from '../support/live-updates/archives.js';
import type { PluginDevice } from '../support/plugins/plugin-device.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import { versionsSince } from '../support/plugins/prepared.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The channels of the app, each with a bundle of its own. */
const CHANNELS = ['Default', 'beta', 'native', 'c1', 'c9'] as const;

let site: PluginSite;
let app: TestApp;
let bundles: Record<(typeof CHANNELS)[number], Published>;
const filesOf = (channel: string): Files => ({ 'index.html': `<h1>${channel}</h1>`, 'app.js': channel });

beforeAll(async () => {
  site = await PluginSite.start();
  app = await site.createApp();
  for (const name of CHANNELS.slice(1)) await createChannel(app, { name });
  const published = CHANNELS.map(
    async (channelName) =>
      [channelName, await publishZip(app, filesOf(channelName), { values: { channelName } })] as const,
  );
  bundles = Object.fromEntries(await Promise.all(published)) as typeof bundles;
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

async function expectChannel(
  devices: readonly PluginDevice[],
  channel: keyof typeof bundles,
  options = {},
): Promise<void> {
  await inTurn(devices, (device) => device.syncAndRestart(options));
  await expectShown(devices, { id: bundles[channel].id, files: filesOf(channel) });
}

describe('the channel', () => {
  it('is that of the call, else what setChannel has stored, else the default one of the app', async () => {
    const devices = await site.installAll(app);
    await expectChannel(devices, 'beta', { channel: 'beta' });
    await expectChannel(devices, 'Default');
    await inTurn(devices, (device) => device.call('setChannel', { channel: 'c9' }));
    await expectChannel(devices, 'c9');
    await expectChannel(devices, 'c1', { channel: 'c1' });
    expect(await inTurn(devices, (device) => device.sync({ channel: 'unknown' }))).toEqual(
      devices.map(() => null),
    );
    await expectChannel(devices, 'c9');
  });

  it('is the configured one, where the version has this setting', async () => {
    const devices = await site.installAll(
      app,
      { config: { defaultChannel: 'beta' } },
      versionsSince('7.0.0'),
    );
    await expectChannel(devices, 'beta');
  });

  it('is that of the native app, over the configured one only since 8.2', async () => {
    const settings = { nativeChannel: 'native' };
    const devices = await site.installAll(app, settings, versionsSince('7.5.0'));
    await expectChannel(devices, 'native');
    await site.stopDevices();
    const both = { ...settings, config: { defaultChannel: 'beta' } };
    await expectChannel(await site.installAll(app, both, versionsSince('8.2.0')), 'native');
    await expectChannel(await site.installAll(app, both, ['7.5.0']), 'beta');
  });

  it('is the one that an operator has forced on the device', async () => {
    const devices = await site.installAll(app);
    await inTurn(devices, async (device) => {
      await device.sync();
      const { deviceId } = await device.call<{ deviceId: string }>('getDeviceId');
      const { body: channels } = await app.api.get(`${app.path}/channels?name=c1`);
      const [channel] = channels as { id: string }[];
      // The device is written by then.
      await app.api.get(`${app.path}/devices?limit=1`);
      const change = await app.api.patch(`${app.path}/devices/${deviceId}`, {
        forcedAppChannelId: channel?.id,
      });
      expect(change.status).toBe(200);
    });
    await expectChannel(devices, 'c1', { channel: 'beta' });
  });

  it('delivers signed bundles only, where it is protected', async () => {
    const { id: channelId, name } = await createChannel(app);
    const values = { channelName: name };
    const signed = await publishZip(app, filesOf('signed'), { values, privateKey });
    await publishZip(app, filesOf('unsigned'), { values });
    expect((await app.api.patch(`${app.path}/channels/${channelId}`, { protected: true })).status).toBe(200);
    const devices = await site.installAll(app);
    await inTurn(devices, (device) => device.syncAndRestart({ channel: name }));
    await expectShown(devices, { id: signed.id, files: filesOf('signed') });
  });
});

it('lists channels by a part of their name', async () => {
  const discoverable = await site.createApp();
  await discoverable.api.patch(discoverable.path, { appChannelDiscoveryEnabled: true });
  // Ids have these letters, too.
  for (const name of ['c1', 'c9', 'beta', '0']) await createChannel(discoverable, { name });
  const devices = await site.installAll(discoverable, {}, versionsSince('7.5.0'));
  for (const device of devices) {
    const names = async (query: string) =>
      (await device.call<{ channels: { name: string }[] }>('fetchChannels', { query })).channels.map(
        (each) => each.name,
      );
    expect(await names('c1')).toEqual(['c1']);
    expect(await names('0')).toEqual(['0']);
    expect((await names('C')).toSorted()).toEqual(['c1', 'c9']);
  }
});
