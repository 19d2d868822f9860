import { delimiter } from 'node:path';
import { cliCommands } from '../../scripts/docs/clients/cli-commands.js';
import { createApp, type TestApp } from '../builders/app.js';
import { createAutomation } from '../builders/automation.js';
import { createBuildShare } from '../builders/build-share.js';
import { createCertificate, pem } from '../builders/certificate.js';
import { createChannel } from '../builders/channel.js';
import { createDestination } from '../builders/destination.js';
import { createGitConnection, linkRepository } from '../builders/git-connection.js';
import { createEnvironment } from '../builders/environment.js';
import { publishZip } from '../builders/publication.js';
import { googleKeyFile } from '../builders/store-key.js';
import { AndroidDevice } from '../support/devices/android.js';
import { RecordingProxy } from '../support/http/recording-proxy.js';
import { hasGit } from '../support/git/git-server.js';
import { setGitRemote } from '../support/git/git-remote.js';
import { RestServer } from '../support/git/rest-server.js';
import { zipOf } from '../support/live-updates/archives.js';
import {
  finishJob,
  serveBuilds,
  startBuild,
  takeJob,
  uploadArtifact,
} from '../support/native-builds/leases.js';
import { createFinishedBuild } from '../support/native-builds/finished-builds.js';
import { uploadSource } from '../support/native-builds/sources.js';
import {
  createDestination as createStoreDestination,
  createReleaseBuild,
  type StoreDeployment,
} from '../support/stores/store-builds.js';
import { expectCreated } from '../support/http/expect-created.js';
import { Cli } from '../support/processes/cli.js';
import { EMULATOR_NAME, makeEmulator } from '../support/processes/stand-in-emulator.js';
import { eventually } from '../support/eventually.js';
import { uniqueName } from '../support/unique-name.js';

let app: TestApp;
/** A git provider. */
let server: RestServer;
let proxy: RecordingProxy;
let cli: Cli;

/** A device that the server knows. */
let deviceId: string;
let deploymentId: string;
let buildId: string;
let organizationId: string;

beforeAll(async () => {
  app = await createApp();
  const html_url = 'https://github.com/acme/shop';
  server = await RestServer.start({
    '/api/v3/repos/acme/shop': { id: 1, name: 'shop', full_name: 'acme/shop', html_url },
  });
  ({ organizationId } = app.tenant);
  await publishZip(app, { 'index.html': '1' });
  await publishZip(app, { 'index.html': '2' });
  const { body } = await app.api.get(`${app.path}/deployments`);
  [{ id: deploymentId, appBuildId: buildId }] = body as [{ id: string; appBuildId: string }];
  const device = new AndroidDevice({ appId: app.id });
  await device.check();
  ({ deviceId } = device);
  await eventually(async () => {
    expect((await app.api.get(`${app.path}/devices/${deviceId}`)).status).toBe(200);
  });
  process.env['PATH'] = `${await makeEmulator()}${delimiter}${process.env['PATH'] ?? ''}`;
  proxy = await RecordingProxy.start();
  cli = await Cli.create(app.tenant.owner.token, proxy.origin);
  await cli.write('www/index.html', '<h1>Shop</h1>');
  await cli.write('project/package.json', '{}');
  await cli.write('key.pem', pem());
  await cli.write('key.json', googleKeyFile());
});

/** Stops what makes the builds that commands wait for. */
let stopBuilds: (() => Promise<void>) | undefined;

afterAll(async () => {
  await stopBuilds?.();
  proxy.stop();
  await server.stop();
});

/** A web build that has succeeded. @returns its id */
async function finishedBuild(): Promise<string> {
  const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
  const lease = await takeJob(jobId);
  await uploadArtifact(lease, await zipOf({ 'index.html': '<html>' }));
  expect((await finishJob(lease)).status).toBe(200);
  return id;
}

/** A web build that has failed. @returns its id */
async function failedBuild(): Promise<string> {
  const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
  expect((await finishJob(await takeJob(jobId), 'failed')).status).toBe(200);
  return id;
}

/** A submission to a store that does not respond. @param destinationId by default one of its own */
async function startSubmission(destinationId?: string): Promise<StoreDeployment> {
  const body = {
    appBuildId: await createReleaseBuild(app),
    appDestinationId: destinationId ?? (await createStoreDestination(app)).id,
  };
  return expectCreated(await app.api.post(`${app.path}/deployments`, body));
}

/** A submission that has failed, because its destination was changed. @returns its id */
async function failedSubmission(): Promise<string> {
  const destination = await createStoreDestination(app);
  const { id, jobId } = await startSubmission(destination.id);
  const changed = { googlePlayTrack: 'beta' };
  expect((await app.api.patch(`${app.path}/destinations/${destination.id}`, changed)).status).toBe(200);
  await eventually(async () =>
    expect((await app.api.get(`/v1/jobs/${jobId}`)).body).toMatchObject({ status: 'failed' }),
  );
  return id;
}

async function createConfiguration(): Promise<string> {
  const { body } = await app.api.post(`${app.path}/configurations`, { name: uniqueName('configuration') });
  return (body as { id: string }).id;
}

const ofApp = (...args: string[]): string[] => ['--app-id', app.id, ...args];

/** The arguments of one run of each command that works. A command that changes what others need gets its own object. */
const runs: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
  whoami: () => [],
  login: () => ['--token', app.tenant.owner.token],
  logout: () => [],
  doctor: () => [],
  'apps:create': () => ['--name', 'Another', '--organization-id', organizationId],
  'apps:delete': async () => ['--app-id', (await createApp(app.tenant)).id, '--yes'],
  'apps:get': () => ofApp(),
  'apps:link': async () => {
    setGitRemote(cli.folder, 'https://github.com/acme/shop.git');
    await createGitConnection(app.tenant, { provider: 'github', baseUrl: server.origin });
    return ofApp();
  },
  'apps:unlink': async () => {
    const linked = await createApp(app.tenant);
    await linkRepository(linked);
    return ['--app-id', linked.id, '--yes'];
  },
  'apps:list': () => ['--organization-id', organizationId],
  'apps:transfer': async () => {
    const target = await app.api.post('/v1/organizations', { name: 'Target' });
    return ['--app-id', (await createApp(app.tenant)).id, '--organization-id', target.body.id, '--yes'];
  },
  'apps:builds:cancel': async () =>
    ofApp('--build-id', (await startBuild(app, { appBuildSourceId: await uploadSource(app) })).id),
  'apps:builds:create': () => ofApp('--platform', 'web', '--path', 'project', '--detached', '--yes'),
  'apps:builds:download': async () => ofApp('--build-id', await finishedBuild(), '--zip', 'built.zip'),
  'apps:builds:failure-summary': async () => ofApp('--build-id', await failedBuild()),
  'apps:builds:logs': async () => ofApp('--build-id', await finishedBuild()),
  'apps:builds:get': () => ofApp('--build-id', buildId),
  'apps:builds:list': () => ofApp(),
  'apps:builds:run': async () => {
    const { id } = await createFinishedBuild(app, [{ type: 'apk' }], { package_name: 'com.acme.shop' });
    return ofApp('--build-id', id, '--target-name', EMULATOR_NAME);
  },
  'apps:builds:share': async () => {
    const { id } = await createFinishedBuild(app, [{ type: 'apk' }]);
    return ofApp('--build-id', id, '--description', 'For the testers.', '--expires-in-days', '7');
  },
  'apps:builds:unshare': async () => {
    const { id } = await createFinishedBuild(app, [{ type: 'apk' }]);
    await createBuildShare(app, id);
    return ofApp('--build-id', id, '--yes');
  },
  'apps:certificates:create': () =>
    ofApp('--name', 'Created', '--platform', 'web', '--file', 'key.pem', '--yes'),
  'apps:certificates:delete': async () =>
    ofApp('--certificate-id', (await createCertificate(app)).id, '--yes'),
  'apps:certificates:get': async () => ofApp('--certificate-id', (await createCertificate(app)).id),
  'apps:certificates:list': () => ofApp(),
  'apps:certificates:update': async () =>
    ofApp('--certificate-id', (await createCertificate(app)).id, '--name', 'Updated'),
  'apps:channels:create': () => ofApp('--name', 'created'),
  'apps:channels:delete': async () => ofApp('--channel-id', (await createChannel(app)).id, '--yes'),
  'apps:channels:get': () => ofApp('--name', 'default'),
  'apps:channels:list': () => ofApp(),
  'apps:channels:pause': async () => ofApp('--channel', (await createChannel(app)).name),
  'apps:channels:resume': async () => ofApp('--channel', (await createChannel(app)).name),
  'apps:channels:update': async () => ofApp('--channel-id', (await createChannel(app)).id, '--protected'),
  'apps:automations:create': () =>
    ofApp('--name', 'created', '--platform', 'web', '--trigger-type', 'branch'),
  'apps:automations:delete': async () => ofApp('--automation-id', (await createAutomation(app)).id, '--yes'),
  'apps:automations:get': async () => ofApp('--automation-id', (await createAutomation(app)).id),
  'apps:automations:list': () => ofApp(),
  'apps:automations:update': async () =>
    ofApp('--automation-id', (await createAutomation(app)).id, '--trigger-pattern', 'main'),
  'apps:configurations:create': () => ofApp('--name', 'created'),
  'apps:configurations:delete': async () => ofApp('--configuration-id', await createConfiguration(), '--yes'),
  'apps:configurations:get': async () => ofApp('--configuration-id', await createConfiguration()),
  'apps:configurations:list': () => ofApp(),
  'apps:configurations:update': async () =>
    ofApp('--configuration-id', await createConfiguration(), '--display-name', 'Shop'),
  'apps:deployments:cancel': async () => ofApp('--deployment-id', (await startSubmission()).id),
  'apps:deployments:failure-summary': async () => ofApp('--deployment-id', await failedSubmission()),
  'apps:deployments:create': () => ofApp('--build-id', buildId, '--channel', 'default'),
  'apps:deployments:get': () => ofApp('--deployment-id', deploymentId),
  'apps:deployments:list': () => ofApp(),
  'apps:deployments:logs': () => ofApp('--deployment-id', deploymentId),
  'apps:destinations:create': () => {
    const track = '--platform android --android-package-name com.acme.shop --google-play-track internal';
    const release = '--android-build-artifact-type aab --android-release-status draft';
    const key = '--google-service-account-key-file key.json';
    return ofApp('--name', 'Created', ...`${track} ${release} ${key}`.split(' '));
  },
  'apps:destinations:delete': async () =>
    ofApp('--destination-id', (await createDestination(app)).id, '--yes'),
  'apps:destinations:get': async () => ofApp('--destination-id', (await createDestination(app)).id),
  'apps:destinations:list': () => ofApp(),
  'apps:destinations:update': async () =>
    ofApp('--destination-id', (await createDestination(app)).id, '--google-play-track', 'beta'),
  'apps:devices:delete': () => ofApp('--device-id', deviceId, '--yes'),
  'apps:devices:forcechannel': () => ofApp('--device-id', deviceId, '--channel', 'default'),
  'apps:devices:probe': () => ofApp('--device-id', deviceId),
  'apps:devices:unforcechannel': () => ofApp('--device-id', deviceId),
  'apps:environments:create': () => ofApp('--name', 'created'),
  'apps:environments:delete': async () =>
    ofApp('--environment-id', (await createEnvironment(app)).id, '--yes'),
  'apps:environments:get': async () => ofApp('--environment-id', (await createEnvironment(app)).id),
  'apps:environments:list': () => ofApp(),
  'apps:environments:set': async () =>
    ofApp('--environment-id', (await createEnvironment(app)).id, '--variable', 'A=1'),
  'apps:environments:unset': async () =>
    ofApp('--environment-id', (await createEnvironment(app)).id, '--variable', 'A'),
  'apps:liveupdates:create': async () => {
    stopBuilds ??= serveBuilds(app);
    return ofApp('--path', 'project', '--channel', 'default', '--yes');
  },
  'apps:liveupdates:bundle': () => ['--input-path', 'www', '--output-path', 'bundle.zip'],
  'apps:liveupdates:generatesigningkey': () => [],
  'apps:liveupdates:rollback': () => ofApp('--channel', 'default', '--steps', '1'),
  'apps:liveupdates:rollout': () => ofApp('--channel', 'default', '--percentage', '50'),
  'apps:liveupdates:upload': () => ofApp('--channel', 'default', '--path', 'www', '--yes'),
  'apps:liveupdates:register': () =>
    ofApp('--channel', 'default', '--url', 'https://files.example.com/bundle.zip', '--yes'),
  'apps:liveupdates:setnativeversions': () => ofApp('--build-id', buildId, '--android-min', '1'),
  'apps:liveupdates:generatemanifest': () => ['--path', 'www'],
  'organizations:create': () => ['--name', 'Another'],
  'organizations:get': () => ['--organization-id', organizationId],
  'organizations:list': () => [],
};

const withStatus = (...wanted: string[]): string[] =>
  Object.entries(cliCommands).flatMap(([command, status]) => (wanted.includes(status) ? [command] : []));

it('has a run for each command that the docs list as working, and no other', () => {
  expect(Object.keys(runs).toSorted()).toEqual(withStatus('works', 'local').toSorted());
});

/** The commands of `runs` that send a body. `login` does so in a terminal: see `login.spec.ts`. */
const withBody = [
  'apps:create',
  'apps:link',
  'apps:transfer',
  'apps:builds:cancel',
  'apps:builds:create',
  'apps:builds:share',
  'apps:certificates:create',
  'apps:certificates:update',
  'apps:channels:create',
  'apps:channels:pause',
  'apps:channels:resume',
  'apps:channels:update',
  'apps:automations:create',
  'apps:automations:update',
  'apps:configurations:create',
  'apps:configurations:update',
  'apps:deployments:cancel',
  'apps:deployments:create',
  'apps:destinations:create',
  'apps:destinations:update',
  'apps:devices:forcechannel',
  'apps:devices:unforcechannel',
  'apps:environments:create',
  'apps:environments:set',
  'apps:environments:unset',
  'apps:liveupdates:create',
  'apps:liveupdates:rollback',
  'apps:liveupdates:rollout',
  'apps:liveupdates:upload',
  'apps:liveupdates:register',
  'apps:liveupdates:setnativeversions',
  'organizations:create',
];

/** Runs a command. Whatever it sends is accepted, also fields that the server does not know. */
async function run(command: string, tool: Cli): Promise<void> {
  const args = (await runs[command]?.()) ?? [];
  proxy.requests.length = 0;
  await tool.succeed(command, ...args);
  const bodies = proxy.requests.filter(({ bytes }) => bytes > 0);
  expect({
    sendsBody: bodies.length > 0,
    refused: bodies.filter(({ status }) => status >= 400),
  }).toEqual({ sendsBody: withBody.includes(command), refused: [] });
}

/** Commands that run git themselves, which a machine may lack. */
const withGit = ['apps:link'];
const runnable = withStatus('works').filter((command) => hasGit || !withGit.includes(command));

it.each(runnable.filter((command) => command !== 'apps:devices:delete'))('runs %s', (command) =>
  run(command, cli),
);

// Last, because other commands need the device.
it('runs apps:devices:delete', () => run('apps:devices:delete', cli));

it.each(withStatus('local'))('runs %s without a server', async (command) => {
  const alone = await Cli.create(null, 'http://127.0.0.1:1');
  await alone.write('www/index.html', '<h1>Shop</h1>');
  await run(command, alone);
});

it.each(withStatus('retired'))('%s names its replacement', async (command) => {
  const { exitCode, stderr } = await cli.run(command);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/deprecated/)]);
});
