import { v4 as uuid } from 'uuid';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { IosDevice } from '../support/devices/ios.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const devices = (command: string, ...args: string[]): string[] => [
  `apps:devices:${command}`,
  '--app-id',
  app.id,
  ...args,
];

it('shows which bundle a device would receive, without counting as a check of the device', async () => {
  await createChannel(app, { name: 'beta 1+2' });
  const { id: bundleId } = await publishZip(
    app,
    { 'index.html': '1' },
    { values: { channelName: 'beta 1+2' } },
  );
  const lucky = new IosDevice({ appId: app.id, channelName: 'beta 1+2', customId: 'user+1' });
  const unlucky = new AndroidDevice({ appId: app.id });
  await Promise.all([lucky.check(), unlucky.check()]);
  const path = `${app.path}/devices/${lucky.deviceId}`;
  const { body: before } = await app.api.get(path);

  const [update, table, none, noneInWords, unknown] = await Promise.all([
    cli.json(...devices('probe', '--device-id', lucky.deviceId)),
    cli.succeed(...devices('probe', '--device-id', lucky.deviceId)),
    cli.json(...devices('probe', '--device-id', unlucky.deviceId)),
    cli.succeed(...devices('probe', '--device-id', unlucky.deviceId)),
    cli.run(...devices('probe', '--device-id', uuid())),
  ]);
  expect(update).toEqual(JSON.parse((await lucky.check()).body.toString()));
  expect(update).toMatchObject({ bundleId, channelName: 'beta 1+2' });
  expect(table).toContain('Update available');
  expect(none).toEqual({ bundleId: null });
  expect(noneInWords).toContain('No update available');
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Device not found.') });
  const { body: after } = await app.api.get(path);
  expect({ ...after, lastSeenAt: null, updatedAt: null }).toEqual({
    ...before,
    lastSeenAt: null,
    updatedAt: null,
  });
});

it('forces devices to a channel and releases them', async () => {
  await createChannel(app, { name: 'beta' });
  const stable = await publishZip(app, { 'index.html': '1' });
  const beta = await publishZip(app, { 'index.html': '2' }, { values: { channelName: 'beta' } });
  const pair = [new AndroidDevice({ appId: app.id }), new IosDevice({ appId: app.id })] as const;
  for (const device of pair) expect(await device.sync()).toMatchObject({ bundleId: stable.id });
  const ids = pair.flatMap(({ deviceId }) => ['--device-id', deviceId]);

  expect(await cli.succeed(...devices('forcechannel', '--channel', 'beta', ...ids))).toContain('2 devices');
  for (const device of pair) expect(await device.sync()).toMatchObject({ bundleId: beta.id });

  await cli.succeed(...devices('unforcechannel', '--device-id', pair[0].deviceId));
  expect(await pair[0].sync()).toMatchObject({ bundleId: stable.id });
  expect(await pair[1].sync()).toMatchObject({ bundleId: beta.id });
});

it('forces all of the devices or none', async () => {
  await createChannel(app, { name: 'beta' });
  const device = new AndroidDevice({ appId: app.id });
  await device.check();
  const known = ['--device-id', device.deviceId];
  const [unknownDevice, unknownChannel] = await Promise.all([
    cli.run(...devices('forcechannel', '--channel', 'beta', ...known, '--device-id', uuid())),
    cli.run(...devices('forcechannel', '--channel', 'unknown', ...known)),
  ]);
  expect(unknownDevice).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Device not found.') });
  expect(unknownChannel).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Channel not found.'),
  });
  expect((await app.api.get(`${app.path}/devices/${device.deviceId}`)).body.forcedAppChannelId).toBeNull();
});

it('forgets a device until its next check', async () => {
  const { id: channelId } = await createChannel(app, { name: 'beta' });
  const device = new AndroidDevice({ appId: app.id });
  const path = `${app.path}/devices/${device.deviceId}`;
  await device.check();
  await app.api.patch(path, { forcedAppChannelId: channelId });
  await cli.succeed(...devices('delete', '--device-id', device.deviceId, '--yes'));
  expect((await app.api.get(path)).status).toBe(404);
  await device.check();
  expect((await app.api.get(path)).body).toMatchObject({ forcedAppChannelId: null });
});

it.each(['..', '%2e%2e', '../bundles/x', '.', '..?customId=a'])(
  'deletes nothing else when it is given the id %s of a device',
  async (id) => {
    const device = new AndroidDevice({ appId: app.id });
    await device.check();
    const { exitCode, stderr } = await cli.run(...devices('delete', '--device-id', id, '--yes'));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('not found')]);
    expect((await app.api.get(`${app.path}/devices`)).body).toMatchObject([{ id: device.deviceId }]);
  },
);
