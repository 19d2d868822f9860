import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { publishZip } from '../builders/publication.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { zipOf } from '../support/live-updates/archives.js';
import { readPage, runShell, shellLinesOf } from '../support/processes/shell.js';

const root = join(import.meta.dirname, '../..');

let app: TestApp;
let device: AndroidDevice;
let folder: string;

/** An app with two versions in the channel `production`, whose newest one runs on a device. */
beforeEach(async () => {
  app = await createApp();
  await createChannel(app, { name: 'production' });
  await publishZip(app, { 'index.html': '1' }, { values: { channelName: 'production' } });
  await publishZip(app, { 'index.html': '2' }, { values: { channelName: 'production' } });
  device = new AndroidDevice({ appId: app.id, channelName: 'production', deviceId: 'my-phone' });
  await device.sync();
  folder = await mkdtemp(join(tmpdir(), 'slipway-guide-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, '.slipway'));
  await writeFile(join(folder, '.slipway/token'), `${app.tenant.owner.token}\n`);
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/index.html'), '3');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function channel(): Promise<{ id: string }> {
  const { body } = await app.api.get(`${app.path}/channels?name=production`);
  return (body as [{ id: string }])[0];
}

/** Copies the lines of a guide into a shell, in which the reader has set the id of the app and can run `slipway`. */
async function follow(guide: string): Promise<string> {
  const page = await readPage(`docs/guides/${guide}.md`, testEnvironment().origin);
  const before = `export APP_ID=${app.id}\nslipway() { node ${root}/dist/slipway.js "$@"; }\n`;
  const { code, output } = await runShell(before + shellLinesOf(page), folder);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  return output;
}

it('rolls out in stages as the guide says', async () => {
  const output = await follow('staged-rollout');
  expect(output).toContain('Rolled out to 50%.');
  expect(output).toContain('"state":"running"');
  expect(output).toContain('"state":"aborted"');
}, 180_000);

it('rolls back in an emergency as the guide says', async () => {
  const output = await follow('emergency-rollback');
  expect(output).toContain('Rolled back to Build #1 (1 step back).');
  expect(output).toContain('No update available: the channel is paused.');
}, 180_000);

it('takes a version back from a device that runs it when its percentage becomes 0', async () => {
  const { body } = await app.api.get(`${app.path}/deployments`);
  const [newest] = body as [{ id: string }];
  const { bundleId: bad } = await device.sync();
  await app.api.patch(`${app.path}/deployments/${newest.id}`, { rolloutPercentage: 0 });
  const { bundleId: older } = await device.sync();
  expect([bad, older]).toEqual([expect.any(String), expect.any(String)]);
  expect(older).not.toBe(bad);
});

it('finds out why a device gets no update as the guide says', async () => {
  await app.api.post(`${app.path}/channels/${(await channel()).id}/pause`, {});
  const page = await readPage('docs/guides/no-update.md', testEnvironment().origin);
  const explain = shellLinesOf(page.split('\n## ')[0] ?? '');
  const { code, output } = await runShell(`export APP_ID=${app.id}\n${explain}`, folder);
  expect({ code, output }).toEqual({
    code: 0,
    output: 'channel-paused\nThe channel production is paused: resume it.\n',
  });
});

it('downloads by hand what a device gets as the guide says', async () => {
  expect(await follow('no-update')).toMatch(
    /^served\nHTTP\/1\.1 200 OK\r\n.*^x-checksum: [0-9a-f]{64}\r$/ims,
  );
});

it('moves an app from Capawesome Cloud as the guide says', async () => {
  const output = await follow('move-from-capawesome-cloud');
  expect(output).toContain('Live Update successfully uploaded.');
}, 180_000);

it('imports bundles from another service as the guide says', async () => {
  await mkdir(join(folder, 'bundles'));
  await writeFile(join(folder, 'bundles/1.0.0.zip'), await zipOf({ 'index.html': '1.0.0' }));
  await writeFile(join(folder, 'bundles/1.1.0.zip'), await zipOf({ 'index.html': '1.1.0' }));
  await writeFile(
    join(folder, 'bundles/1.1.0.zip.json'),
    JSON.stringify({ channelName: 'beta', minAndroidAppVersionCode: '10', gitRef: 'v1.1.0' }),
  );
  const output = await follow('import-bundles');
  expect(output).toContain('1.0.0.zip: would be imported');
  expect(output).toContain('1.1.0.zip: imported\n2 of 2 bundles.');
}, 180_000);
