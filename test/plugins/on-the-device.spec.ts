import type { TestApp } from '../builders/app.js';
import { publishManifest, publishZip, type Published } from '../builders/publication.js';
import type { Files } from '../support/live-updates/archives.js';
import type { PluginDevice } from '../support/plugins/plugin-device.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';

const FIRST: Files = { 'index.html': '<h1>1</h1>', 'app.js': '1' };
const SECOND: Files = { 'index.html': '<h1>2</h1>', 'app.js': '1' };

let site: PluginSite;
let app: TestApp;
let first: Published;
let devices: readonly PluginDevice[];
beforeAll(async () => {
  site = await PluginSite.start();
});
beforeEach(async () => {
  app = await site.createApp();
  first = await publishManifest(app, FIRST);
  devices = await site.installAll(app);
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

const all = <T>(each: (device: PluginDevice) => Promise<T>): Promise<T[]> => inTurn(devices, each);

it('shows a bundle at once when the app reloads', async () => {
  await all(async (device) => {
    await device.sync();
    await device.call('reload');
    await device.call('ready');
  });
  await expectShown(devices, { id: first.id, files: FIRST });
});

it('goes back to the built-in files, and gets the bundle again without a download', async () => {
  await all((device) => device.syncAndRestart());
  await all(async (device) => {
    await device.call('reset');
    await device.restart();
  });
  await expectShown(devices);
  site.proxy.requests.length = 0;
  expect(await all((device) => device.syncAndRestart())).toEqual(devices.map(() => first.id));
  expect(site.proxy.requests.filter(({ path }) => path.includes('/download'))).toEqual([]);
  await expectShown(devices, { id: first.id, files: FIRST });
});

it('chooses among the bundles that it keeps, and downloads what was deleted', async () => {
  await all((device) => device.syncAndRestart());
  const second = await publishZip(app, SECOND);
  await all((device) => device.syncAndRestart());
  await all(async (device) => {
    await device.call('setNextBundle', { bundleId: first.id });
    await device.restart();
  });
  await expectShown(devices, { id: first.id, files: FIRST });
  await all((device) => device.call('deleteBundle', { bundleId: second.id }));
  expect(await all((device) => device.kept())).toEqual(devices.map(() => [first.id]));
  expect(await all((device) => device.syncAndRestart())).toEqual(devices.map(() => second.id));
  await expectShown(devices, { id: second.id, files: SECOND });
});

it('begins with the built-in files of a new native version, then with the newest bundle', async () => {
  await all((device) => device.syncAndRestart());
  const builtIn: Files = { 'index.html': 'of version 11', 'native.js': '11' };
  await all((device) => device.upgrade({ versionCode: 11, builtIn }));
  await expectShown(devices, { id: null, files: builtIn });
  const second = await publishManifest(app, SECOND);
  await all((device) => device.syncAndRestart());
  await expectShown(devices, { id: second.id, files: SECOND });
});

it('deletes bundles that it needs no more, and follows releases none the less', async () => {
  await all((device) => device.upgrade({ config: { autoDeleteBundles: true } }));
  for (const files of [FIRST, SECOND, FIRST]) {
    const { id } = await publishManifest(app, files);
    await all((device) => device.syncAndRestart());
    await expectShown(devices, { id, files });
    expect(await all((device) => device.kept())).toEqual(devices.map(() => [id]));
  }
});
