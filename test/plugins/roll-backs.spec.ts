import type { TestApp } from '../builders/app.js';
import { publishZip } from '../builders/publication.js';
import { eventually } from '../support/eventually.js';
import type { Files } from '../support/live-updates/archives.js';
import type { PluginDevice } from '../support/plugins/plugin-device.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import { versionsSince } from '../support/plugins/prepared.js';

const GOOD: Files = { 'index.html': '<h1>good</h1>' };
const BAD: Files = { 'index.html': '<h1>never calls ready()</h1>' };
const MENDED: Files = { 'index.html': '<h1>mended</h1>' };

let site: PluginSite;
let app: TestApp;
beforeAll(async () => {
  site = await PluginSite.start();
});
beforeEach(async () => {
  app = await site.createApp();
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

/**
 * Starts the bundle twice, which never calls `ready()`: it checks for updates, and at the next start the plugin goes back.
 * (In one start, the check could end after the plugin went back, and set the bundle again.)
 */
async function crash(device: PluginDevice): Promise<void> {
  await device.stop();
  await device.startUnready(60_000);
  await device.sync();
  await device.stop();
  await device.startUnready(300);
  await eventually(async () => expect(await device.bundleId()).toBeNull());
}

/** Lets the device take the bundle and go back, until it is offered another one or none. @returns how often */
async function crashUntilWithheld(device: PluginDevice, bundleId: string): Promise<number> {
  let count = 0;
  // Far beyond the limit, if nothing withholds the bundle.
  while (count < 8 && (await device.sync()) === bundleId) {
    await crash(device);
    count++;
    await device.restart();
    // Checks are written by then.
    await app.api.get(`${app.path}/devices?limit=1`);
  }
  return count;
}

it('end after the limit: the bundle is offered three times, and the device gets the next one', async () => {
  const devices = await site.installAll(app);
  const { id } = await publishZip(app, BAD);
  const starts = await inTurn(devices, (device) => crashUntilWithheld(device, id));
  expect(starts).toEqual(devices.map(() => 3));
  await expectShown(devices);

  const mended = await publishZip(app, MENDED);
  await inTurn(devices, (device) => device.syncAndRestart());
  await expectShown(devices, { id: mended.id, files: MENDED });
});

it('lead back to the newest bundle that works, after the limit', async () => {
  const devices = await site.installAll(app);
  const good = await publishZip(app, GOOD);
  await inTurn(devices, (device) => device.syncAndRestart());
  const bad = await publishZip(app, BAD);
  expect(await inTurn(devices, (device) => crashUntilWithheld(device, bad.id))).toEqual(devices.map(() => 3));
  await inTurn(devices, (device) => device.restart());
  await expectShown(devices, { id: good.id, files: GOOD });
});

it('make a device block the bundle itself, where it is configured so, and take the next one', async () => {
  const config = { autoBlockRolledBackBundles: true };
  const devices = await site.installAll(app, { config }, versionsSince('7.5.0'));
  await publishZip(app, BAD);
  await inTurn(devices, async (device) => {
    await device.sync();
    await crash(device);
    // After a roll-back, the built-in files call `ready()`.
    await device.call('ready');
    expect(await device.sync()).toBeNull();
  });
  const mended = await publishZip(app, MENDED);
  await inTurn(devices, (device) => device.syncAndRestart());
  await expectShown(devices, { id: mended.id, files: MENDED });
});
