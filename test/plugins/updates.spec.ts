import { publishManifest, publishZip } from '../builders/publication.js';
import type { Files } from '../support/live-updates/archives.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';

const FILES: readonly Files[] = [
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(1);', 'assets/logo.svg': '<svg/>' },
  { 'index.html': '<h1>1</h1>', 'assets/app.js': 'start(2);', 'assets/logo.svg': '<svg/>' },
  { 'index.html': '<h1>3</h1>', 'assets/app.js': 'start(2);', 'assets/new.css': 'a {}' },
];

let site: PluginSite;
beforeAll(async () => {
  site = await PluginSite.start();
});
afterEach(() => site.stopDevices());
afterAll(() => site.stop());

it.each([
  ['zips', publishZip],
  ['manifests', publishManifest],
])('follows three releases as %s', async (_form, publish) => {
  const app = await site.createApp();
  const devices = await site.installAll(app);
  await expectShown(devices);
  for (const files of FILES) {
    const { id } = await publish(app, files);
    const next = await inTurn(devices, (device) => device.syncAndRestart());
    expect(next).toEqual(devices.map(() => id));
    await expectShown(devices, { id, files });
  }
});
