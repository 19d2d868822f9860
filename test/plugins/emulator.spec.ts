import type { TestApp } from '../builders/app.js';
import { publishManifest } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import type { Files } from '../support/live-updates/archives.js';
import { PluginSite } from '../support/plugins/plugin-site.js';
import { ALL_VERSIONS } from '../support/plugins/prepared.js';

const FILES: Files = {
  'index.html': '<html>',
  'assets/Grüße & 1+1 = 100%.txt': 'hello',
  "assets/it's (new)!~*.js": '2',
  'assets/日本 😀.js': '3',
  'assets/semi;colon,comma@at$:.js': '4',
  'assets/[id]#hash?query.js': '5',
};

/** What plugins choose. Which version of OkHttp sends it does not matter. */
const HEADERS = ['accept-encoding', 'connection', 'x-device-id', 'x-capawesome-device-id'];

let site: PluginSite;
let app: TestApp;
beforeAll(async () => {
  site = await PluginSite.start();
  app = await site.createApp();
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

/** What has come since the last call, in a fixed order. @param deviceId stands for itself */
function takeRequests(deviceId: string): unknown[] {
  return site.proxy.requests
    .splice(0)
    .map(({ path, rawQuery, headers }) => ({
      path,
      query: rawQuery.replace(deviceId, 'ID'),
      headers: HEADERS.map((name) => headers[name]?.toString().replace(deviceId, 'ID')),
    }))
    .toSorted((a, b) => a.query.localeCompare(b.query));
}

it.each(ALL_VERSIONS)('of Android sends the requests of the plugin %s, byte by byte', async (version) => {
  const { id } = await publishManifest(app, { ...FILES, 'version.txt': version });
  const config = { config: { defaultChannel: 'Default' } };
  const device = await site.install(app, { version, ...(version.startsWith('6.') ? {} : config) });
  const { deviceId } = await device.call<{ deviceId: string }>('getDeviceId');
  await device.call('setCustomId', { customId: 'QA & 1+1' });
  const channelName = version.startsWith('6.') ? undefined : 'Default';
  const emulator = new AndroidDevice({
    appId: app.id,
    origin: site.proxy.plainOrigin,
    deviceId,
    customId: 'QA & 1+1',
    appVersionName: '1.10',
    pluginVersion: version,
    ...(channelName === undefined ? {} : { channelName }),
  });
  for (const _ of ['the first time', 'when it runs the bundle']) {
    site.proxy.requests.length = 0;
    await device.syncAndRestart();
    const sent = takeRequests(deviceId);
    await emulator.sync();
    expect(takeRequests(deviceId)).toEqual(sent);
  }
  expect(emulator.bundleId).toBe(id);
});

it.each([
  ['6.8.0', /&bundleId=public&/, undefined, undefined],
  ['7.2.2', /&bundleId&/, undefined, undefined],
  ['7.5.0', /&bundleId&/, 'ID', undefined],
  ['8.4.3', /&bundleId&/, undefined, 'ID'],
])('%s reports the built-in files and its id in its own way', async (version, builtIn, before, now) => {
  const device = await site.install(app, { version });
  const { deviceId } = await device.call<{ deviceId: string }>('getDeviceId');
  site.proxy.requests.length = 0;
  await device.sync();
  const [check] = site.proxy.requests;
  expect(check?.rawQuery).toMatch(builtIn);
  const header = (name: string) => check?.headers[name]?.toString().replace(deviceId, 'ID');
  expect([header('x-device-id'), header('x-capawesome-device-id')]).toEqual([before, now]);
});
