import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createCertificate, pem, privateKey } from '../builders/certificate.js';
import { createChannel } from '../builders/channel.js';
import { createTenant } from '../builders/identities.js';
import { AndroidDevice } from '../support/devices/android.js';
import { expectInstallable } from '../support/devices/expect-installable.js';
import { unzip, zipOf } from '../support/live-updates/archives.js';
import { createFinishedBuild } from '../support/native-builds/finished-builds.js';
import { serveBuilds, type TestBuild } from '../support/native-builds/leases.js';
import { eventually } from '../support/eventually.js';
import { Cli, type CliResult } from '../support/processes/cli.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  await cli.write('project/package.json', '{"name":"shop"}');
  await cli.write('project/src/index.js', 'start();');
});

const build = (command: string, ...args: string[]): string[] => [
  `apps:builds:${command}`,
  '--app-id',
  app.id,
  ...args,
];

/** Starts a build and does not wait for it. */
async function createDetached(...args: string[]): Promise<TestBuild> {
  const { id } = await cli.json<{ id: string }>(
    ...build('create', '--platform', 'web', '--path', 'project', '--detached', '--yes', ...args),
  );
  return (await app.api.get(`${app.path}/builds/${id}`)).body as TestBuild;
}

describe('the command-line tool', () => {
  it('uploads a project, follows its build, and downloads the result', async () => {
    const stop = serveBuilds(app);
    const channel = await createChannel(app);
    const created = await cli.run(
      ...build('create', '--platform', 'web', '--path', 'project', '--yes'),
      '--channel',
      channel.name,
    );
    await stop();
    expect(created).toMatchObject({ exitCode: 0 });
    expect(created.stdout).toContain('Built by the test');
    const device = new AndroidDevice({ appId: app.id, channelName: channel.name });
    const { bundleId } = await device.sync();
    const { body } = await app.api.get(`${app.path}/builds`);
    const [{ id, appBuildArtifactId }] = body as [{ id: string; appBuildArtifactId: string }];
    expect(bundleId).toBe(appBuildArtifactId);
    const logs = await cli.run(...build('logs', '--build-id', id));
    expect(logs).toMatchObject({ exitCode: 0 });
    expect(logs.stdout).toContain('Built by the test');
    const downloaded = await cli.run(...build('download', '--build-id', id, '--zip', 'www.zip'));
    expect(downloaded).toMatchObject({ exitCode: 0 });
    const files = unzip(await readFile(join(cli.folder, 'www.zip')));
    expect(String(files.get('index.html'))).toBe('<html>built');
    const deployed = await cli.run(
      'apps:deployments:create',
      '--app-id',
      app.id,
      '--build-id',
      id,
      '--channel',
      'default',
    );
    expect(deployed).toMatchObject({ exitCode: 0 });
  });

  it('starts a build without waiting, shows and cancels it', async () => {
    const { id, jobId } = await createDetached('--variable', 'STAGE=nightly');
    expect(jobId).toEqual(expect.any(String));
    const shown = await cli.run(...build('get', '--build-id', id, '--json'));
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, job: { id: jobId, status: 'queued' } });
    const listed = await cli.run(...build('list', '--json'));
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id, job: { status: 'queued' } }]);
    expect(await cli.run(...build('cancel', '--build-id', id))).toMatchObject({ exitCode: 0 });
    expect((await app.api.get(`/v1/jobs/${jobId}`)).body).toMatchObject({ status: 'canceled' });
  });

  it('fails when its build is canceled meanwhile', async () => {
    const { id, jobId } = await createDetached();
    await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
    const downloaded = await cli.run(...build('download', '--build-id', id, '--zip', 'www.zip'));
    expect(downloaded.exitCode).toBe(1);
  });

  // The tool itself decides.
  (process.platform === 'darwin' ? it.skip : it)('runs iOS apps on a Mac only', async () => {
    const values = { platform: 'ios', type: 'simulator' };
    const { id, path } = await createFinishedBuild(app, [{ type: 'app' }], values);
    const ended = await cli.run(...build('run', '--build-id', id));
    expect(ended).toMatchObject({ exitCode: 1 });
    expect(`${ended.stdout}${ended.stderr}`).toContain('iOS builds can only be run on macOS.');
    expect((await app.api.get(`${path}/artifacts`)).body).toMatchObject([{ totalDownloads: 0 }]);
  });

  it('creates a signed live update from source', async () => {
    const stop = serveBuilds(app);
    const certificate = await createCertificate(app, {}, pem());
    const channel = await createChannel(app, { protected: true });
    const created = await cli.run(
      'apps:liveupdates:create',
      '--app-id',
      app.id,
      '--path',
      'project',
      '--certificate',
      certificate.name,
      '--channel',
      channel.name,
      '--yes',
    );
    await stop();
    expect(created).toMatchObject({ exitCode: 0 });
    const device = new AndroidDevice({ appId: app.id, channelName: channel.name });
    const { bundleId } = await device.sync();
    expect(bundleId).not.toBeNull();
    await expectInstallable(device['origin'], app.id, bundleId ?? '', 'zip', privateKey);
  });
});

describe('with a server of its own', () => {
  let site: OwnSite;
  let host: Server;
  let url: string;
  /** Resolved when the build of a missing zip is there: before, the build itself would be refused. */
  let hasBuild: PromiseWithResolvers<void>;

  beforeAll(async () => {
    hasBuild = Promise.withResolvers();
    site = await OwnSite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1' });
    const bytes = await zipOf({ 'package.json': '{}' });
    host = createServer((request, response) => {
      if (request.url === '/project.zip') response.end(bytes);
      else void hasBuild.promise.then(() => response.writeHead(404).end());
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    app = await createApp(await createTenant(site));
    cli = await Cli.create(app.tenant.owner.token, site.origin);
    await cli.write('project/package.json', '{"name":"shop"}');
  });
  afterAll(async () => {
    host.close();
    await site.dispose();
  });

  const create = (...args: string[]): Promise<CliResult> => cli.run(...build('create', '--yes', ...args));

  it('builds the zip of an address', async () => {
    const stop = serveBuilds(app, site);
    const created = await create('--platform', 'web', '--url', `${url}/project.zip`);
    await stop();
    expect(created).toMatchObject({ exitCode: 0 });
    expect(created.stdout).toContain('Built by the test');
  });

  it('prints why a build has failed whose source cannot be fetched', async () => {
    const created = create('--platform', 'web', '--url', `${url}/missing.zip`);
    await eventually(async () => {
      expect((await app.api.get(`${app.path}/builds`)).body).toHaveLength(1);
    });
    hasBuild.resolve();
    const { exitCode, stdout, stderr } = await created;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Build failed.')]);
    expect(stdout).toContain('The source could not be fetched: 127.0.0.1');
  });

  it('prints why a build was rejected that no runner can do', async () => {
    const created = create('--platform', 'web', '--path', 'project');
    await eventually(async () => {
      const aged = await site.query(
        `UPDATE jobs SET queued_at = queued_at - interval '6 minutes' WHERE app_id = $1 RETURNING id`,
        [app.id],
      );
      expect(aged).toHaveLength(1);
    });
    await runQueue(site, 'unmatched-jobs');
    const { exitCode, stdout, stderr } = await created;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Build was rejected.')]);
    expect(stdout).toContain('\nNo runner is registered for this app.\n');
  });

  it('prints at once that no runner builds for iOS', async () => {
    const { exitCode, stderr } = await create('--platform', 'ios', '--path', 'project');
    const message = expect.stringContaining('No runner is registered for this app.');
    expect([exitCode, stderr]).toEqual([1, message]);
    expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
  });
});
