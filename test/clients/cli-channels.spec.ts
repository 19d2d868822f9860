import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const channels = (command: string, ...args: string[]): string[] => [
  `apps:channels:${command}`,
  '--app-id',
  app.id,
  ...args,
];

it('creates, lists and gets channels by id and by name', async () => {
  const [{ id }, printed] = await Promise.all([
    cli.json<{ id: string }>(...channels('create', '--name', 'release 1+2')),
    cli.succeed(...channels('create', '--name', 'beta', '--protected')),
  ]);
  const [, betaId] = /Channel ID: ([0-9a-f-]{36})/.exec(printed) ?? [];
  const [list, byId, byName, unknown] = await Promise.all([
    cli.json<{ id: string }[]>(...channels('list')),
    cli.json(...channels('get', '--channel-id', id)),
    cli.json(...channels('get', '--name', 'release 1+2')),
    cli.run(...channels('get', '--name', 'release 1 2')),
  ]);
  expect(list).toEqual((await app.api.get(`${app.path}/channels`)).body);
  expect(list.map((channel) => channel.id).toSorted()).toEqual([app.defaultChannelId, id, betaId].toSorted());
  expect(byId).toMatchObject({ id, name: 'release 1+2', protectedAt: null });
  expect(byName).toEqual(byId);
  expect(list.find((channel) => channel.id === betaId)).toMatchObject({ protectedAt: expect.any(String) });
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Channel not found.') });
});

it('refuses a second channel of the same name, unless it ignores errors', async () => {
  const duplicate = channels('create', '--name', 'DEFAULT');
  const [refused, ignored] = await Promise.all([
    cli.run(...duplicate),
    cli.run(...duplicate, '--ignore-errors'),
  ]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/name|exist/) });
  expect(ignored.exitCode).toBe(0);
  expect((await app.api.get(`${app.path}/channels`)).body).toHaveLength(1);
});

it('renames and protects a channel', async () => {
  const { id } = await createChannel(app, { name: 'beta' });
  const update = channels('update', '--channel-id', id);
  await cli.succeed(...update, '--name', 'gamma');
  expect((await app.api.get(`${app.path}/channels/${id}`)).body).toMatchObject({
    name: 'gamma',
    protectedAt: null,
  });
  await cli.succeed(...update, '--protected');
  expect((await app.api.get(`${app.path}/channels/${id}`)).body).toMatchObject({
    name: 'gamma',
    protectedAt: expect.any(String),
  });
});

it('deletes channels by id and by name', async () => {
  const { id } = await createChannel(app, { name: 'by id' });
  await createChannel(app, { name: 'by name & more' });
  const results = await Promise.all([
    cli.run(...channels('delete', '--channel-id', id, '--yes')),
    cli.run(...channels('delete', '--name', 'by name & more', '--yes')),
    cli.run(...channels('delete', '--name', 'unknown', '--yes')),
  ]);
  expect(results).toMatchObject([
    { exitCode: 0 },
    { exitCode: 0 },
    { exitCode: 1, stderr: expect.stringContaining('Channel not found.') },
  ]);
  expect((await app.api.get(`${app.path}/channels`)).body).toMatchObject([{ name: 'default' }]);
});

it('stops delivery with pause and starts it again with resume', async () => {
  const { id: bundleId } = await publishZip(app, { 'index.html': '1' });
  const device = new AndroidDevice({ appId: app.id });
  await cli.succeed(...channels('pause', '--channel', 'default'));
  expect(await device.sync()).toMatchObject({ bundleId: null });
  expect((await app.api.get(`${app.path}/channels/${app.defaultChannelId}`)).body.pausedAt).not.toBeNull();
  await cli.succeed(...channels('resume', '--channel', 'default'));
  expect(await device.sync()).toMatchObject({ bundleId });
  expect(await cli.run(...channels('pause', '--channel', 'unknown'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Channel not found.'),
  });
});
