import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { type Published, publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { IosDevice } from '../support/devices/ios.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;
let first: Published;
let second: Published;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  first = await publishZip(app, { 'index.html': '1' });
  second = await publishZip(app, { 'index.html': '2' });
});

const ofApp = (command: string, ...args: string[]): string[] => [
  `apps:${command}`,
  '--app-id',
  app.id,
  ...args,
];

it('changes the share of devices that receive the newest deployment', async () => {
  const device = new AndroidDevice({ appId: app.id });
  const rollout = ofApp('liveupdates:rollout', '--channel', 'default', '--percentage');
  const printed = await cli.succeed(...rollout, '0');
  expect(printed).toContain(`Deployment ID: ${second.deploymentId}`);
  expect(await device.sync()).toMatchObject({ bundleId: first.id });
  await cli.succeed(...rollout, '33');
  expect((await app.api.get(`${app.path}/deployments/${second.deploymentId}`)).body).toMatchObject({
    rolloutPercentage: 0.33,
  });
  await cli.succeed(...rollout, '100');
  expect(await device.sync()).toMatchObject({ bundleId: second.id });
});

it('refuses a rollout without channel or deployment', async () => {
  await createChannel(app, { name: 'empty' });
  const rollout = ofApp('liveupdates:rollout', '--percentage', '50', '--channel');
  const [unknown, empty] = await Promise.all([cli.run(...rollout, 'unknown'), cli.run(...rollout, 'empty')]);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Channel not found.') });
  expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no active build') });
});

it('goes back to an earlier build with a new deployment', async () => {
  const device = new AndroidDevice({ appId: app.id });
  await device.sync();
  const printed = await cli.succeed(...ofApp('liveupdates:rollback', '--channel', 'default', '--steps', '1'));
  const [, deploymentId] = /Deployment ID: (\S+)/.exec(printed) ?? [];
  expect(printed).toContain('Rolled back to Build #1 (1 step back)');
  expect((await app.api.get(`${app.path}/deployments`)).body).toMatchObject([
    { id: deploymentId, appBuildId: first.buildId, rolloutPercentage: 1 },
    { id: second.deploymentId },
    { id: first.deploymentId },
  ]);
  expect(await device.sync()).toMatchObject({ bundleId: first.id });
});

it('does not go back further than there are deployments', async () => {
  await createChannel(app, { name: 'young' });
  await publishZip(app, { 'index.html': '3' }, { values: { channelName: 'young' } });
  const [one, tooFar] = await Promise.all([
    cli.run(...ofApp('liveupdates:rollback', '--channel', 'young', '--steps', '1')),
    cli.run(...ofApp('liveupdates:rollback', '--channel', 'default', '--steps', '2')),
  ]);
  expect(one).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no previous deployments') });
  expect(tooFar).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('only 1 previous deployment'),
  });
});

it('limits a build to native versions afterwards', async () => {
  await cli.succeed(
    ...ofApp(
      'liveupdates:setnativeversions',
      '--build-id',
      second.buildId,
      '--android-min=11',
      '--ios-eq=10',
    ),
  );
  expect((await app.api.get(`${app.path}/builds/${second.buildId}`)).body).toMatchObject({
    minAndroidAppVersionCode: '11',
    maxAndroidAppVersionCode: null,
    eqIosAppVersionCode: '10',
  });
  const offered = (device: AndroidDevice | IosDevice): Promise<unknown> =>
    device.sync().then(({ bundleId }) => bundleId);
  const appId = app.id;
  expect(await offered(new AndroidDevice({ appId, appVersionCode: '10' }))).toBe(first.id);
  expect(await offered(new AndroidDevice({ appId, appVersionCode: '11' }))).toBe(second.id);
  expect(await offered(new IosDevice({ appId, appVersionCode: '10' }))).toBe(first.id);
  expect(await offered(new IosDevice({ appId, appVersionCode: '9' }))).toBe(second.id);
});

it('lists and gets deployments', async () => {
  const { id: channelId } = await createChannel(app, { name: 'beta' });
  const third = await publishZip(app, { 'index.html': '3' }, { values: { channelName: 'beta' } });
  const [all, ofChannel, ofBuild, page, one] = await Promise.all([
    cli.json(...ofApp('deployments:list')),
    cli.json(...ofApp('deployments:list', '--channel-id', channelId)),
    cli.json(...ofApp('deployments:list', '--build-id', first.buildId)),
    cli.json(...ofApp('deployments:list', '--limit', '1', '--offset', '1')),
    cli.json(...ofApp('deployments:get', '--deployment-id', first.deploymentId)),
  ]);
  expect(all).toMatchObject(
    [third, second, first].map(({ deploymentId: id }) => ({ id, jobId: null, job: { id } })),
  );
  expect(ofChannel).toMatchObject([{ id: third.deploymentId, appChannelName: 'beta' }]);
  expect(ofBuild).toMatchObject([{ id: first.deploymentId }]);
  expect(page).toMatchObject([{ id: second.deploymentId }]);
  expect(one).toMatchObject({
    id: first.deploymentId,
    appBuild: { id: first.buildId, numberAsString: '1' },
    appChannelName: 'default',
  });
});
