import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createCertificate, pem, privateKey } from '../builders/certificate.js';
import { createChannel } from '../builders/channel.js';
import { createTenant } from '../builders/identities.js';
import { AndroidDevice } from '../support/devices/android.js';
import { expectInstallable } from '../support/devices/expect-installable.js';
import { unzip, zipOf } from '../support/live-updates/archives.js';
import { serveBuilds, type TestBuild } from '../support/native-builds/leases.js';
import { Cli } from '../support/processes/cli.js';
import { OwnSite } from '../support/servers/own-site.js';

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

it('builds the zip of an address', async () => {
  const site = await OwnSite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1' });
  const bytes = await zipOf({ 'package.json': '{}' });
  const host = createServer((_request, response) => response.end(bytes)).listen(0, '127.0.0.1');
  try {
    await once(host, 'listening');
    app = await createApp(await createTenant(site));
    cli = await Cli.create(app.tenant.owner.token, site.origin);
    const stop = serveBuilds(app, site);
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/project.zip`;
    const created = await cli.run(...build('create', '--platform', 'web', '--url', url, '--yes'));
    await stop();
    expect(created).toMatchObject({ exitCode: 0 });
    expect(created.stdout).toContain('Built by the test');
  } finally {
    host.close();
    await site.dispose();
  }
});
