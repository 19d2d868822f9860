import { isInRollout } from '../../src/devices/channel-decision/rollout.js';
import type { TestApp } from '../builders/app.js';
import { publishZip } from '../builders/publication.js';
import { eventually } from '../support/eventually.js';
import type { Files } from '../support/live-updates/archives.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import type { PluginDevice } from '../support/plugins/plugin-device.js';

const FIRST: Files = { 'index.html': '<h1>1</h1>', 'app.js': '1' };
const SECOND: Files = { 'index.html': '<h1>2</h1>', 'app.js': '2' };

let site: PluginSite;
let app: TestApp;
let devices: readonly PluginDevice[];
beforeAll(async () => {
  site = await PluginSite.start();
});
beforeEach(async () => {
  app = await site.createApp();
  devices = await site.installAll(app);
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

const syncAll = (): Promise<(string | null)[]> => inTurn(devices, (device) => device.syncAndRestart());
const change = async (path: string, values: object): Promise<void> => {
  expect((await app.api.patch(path, values)).status).toBe(200);
};

it('reaches no device at 0 %, those of its share at 50 %, and all at 100 %', async () => {
  const first = await publishZip(app, FIRST);
  await syncAll();
  const second = await publishZip(app, SECOND, { values: { rolloutPercentage: 0 } });
  await syncAll();
  await expectShown(devices, { id: first.id, files: FIRST });

  const deployment = `${app.path}/deployments/${second.deploymentId}`;
  await change(deployment, { rolloutPercentage: 0.5 });
  await syncAll();
  for (const device of devices) {
    const { deviceId } = await device.call<{ deviceId: string }>('getDeviceId');
    const isInside = isInRollout(second.deploymentId, deviceId, 0.5);
    await expectShown([device], isInside ? { id: second.id, files: SECOND } : { id: first.id, files: FIRST });
  }

  await change(deployment, { rolloutPercentage: 1 });
  await syncAll();
  await expectShown(devices, { id: second.id, files: SECOND });
});

it('ends while the channel is paused, and goes on after it', async () => {
  const { id } = await publishZip(app, FIRST);
  const channel = `${app.path}/channels/${app.defaultChannelId}`;
  await app.api.post(`${channel}/pause`);
  expect(await syncAll()).toEqual(devices.map(() => null));
  await expectShown(devices);
  await app.api.post(`${channel}/resume`);
  await syncAll();
  await expectShown(devices, { id, files: FIRST });
});

it('does not include an expired bundle, which those keep that run it', async () => {
  const { id, path } = await publishZip(app, FIRST);
  const [early, ...late] = devices;
  await early!.syncAndRestart();
  const expiresAt = new Date(Date.now() + 1000).toISOString();
  await change(path, { expiresAt });
  await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt)));
  expect(await syncAll()).toEqual(devices.map(() => null));
  await expectShown([early!], { id, files: FIRST });
  await expectShown(late);
});

it('fits the version of the native app', async () => {
  const { id } = await publishZip(app, FIRST, { values: { minAndroidAppVersionCode: '11' } });
  expect(await syncAll()).toEqual(devices.map(() => null));
  await inTurn(devices, (device) => device.upgrade({ versionCode: 11 }));
  await syncAll();
  await expectShown(devices, { id, files: FIRST });
  await publishZip(app, SECOND, { values: { maxAndroidAppVersionCode: '10' } });
  expect(await syncAll()).toEqual(devices.map(() => null));
  await expectShown(devices, { id, files: FIRST });
});
