import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle } from '../builders/bundle.js';
import { type Published, publishManifest, publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { unzip } from '../support/live-updates/archives.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { Cli, type CliResult } from '../support/processes/cli.js';

/** What the tool prints for a command that needs a job. */
const NO_JOB = 'This build was uploaded: it has no job.';

let app: TestApp;
let cli: Cli;
let first: Published;

beforeAll(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  first = await publishZip(app, { 'index.html': '1' });
});

const run = (command: string, ...args: string[]): Promise<CliResult> =>
  cli.run(`apps:${command}`, '--app-id', app.id, ...args);
const ofBuild = (command: string, ...args: string[]): Promise<CliResult> =>
  run(`builds:${command}`, '--build-id', first.buildId, ...args);
const ofDeployment = (command: string): Promise<CliResult> =>
  run(`deployments:${command}`, '--deployment-id', first.deploymentId);

describe('of a build that was uploaded, the command-line tool', () => {
  it('shows an empty log', async () => {
    expect(await ofBuild('logs')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('waits with the log until the upload is over', async () => {
    const bundle = await createBundle(app);
    await uploadFiles(bundle, { 'index.html': '<html>' });
    let hasEnded = false;
    const following = run('builds:logs', '--build-id', bundle.buildId).finally(() => (hasEnded = true));
    const { body } = await app.api.get(`${app.path}/builds/${bundle.buildId}?relations=job`);
    expect(body).toMatchObject({ job: { status: 'pending' } });
    const early = await run('builds:download', '--build-id', bundle.buildId, '--zip', 'early.zip');
    expect(early).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The build has not succeeded yet.'),
    });
    expect(hasEnded).toBe(false);
    expect((await publish(bundle)).status).toBe(200);
    expect(await following).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('downloads the zip', async () => {
    expect(await ofBuild('download', '--zip', 'first.zip')).toMatchObject({ exitCode: 0 });
    const files = unzip(await readFile(join(cli.folder, 'first.zip')));
    expect(String(files.get('index.html'))).toBe('1');
  });

  it('says that there is no zip of a manifest', async () => {
    const { buildId } = await publishManifest(app, { 'index.html': '<html>' });
    const { exitCode, stdout, stderr } = await run('builds:download', '--build-id', buildId, '--zip');
    expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining('No ZIP artifact found')]);
  });

  it.each(['cancel', 'failure-summary'])('says why builds:%s is not possible', async (command) => {
    const { exitCode, stderr } = await ofBuild(command);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(NO_JOB)]);
  });

  it('prints the derived job with builds:get and builds:list', async () => {
    const job = { id: first.buildId, status: 'succeeded', appBuildId: first.buildId };
    const shown = await cli.json('apps:builds:get', '--app-id', app.id, '--build-id', first.buildId);
    expect(shown).toMatchObject({ jobId: null, job });
    const listed = await cli.json<{ id: string }[]>('apps:builds:list', '--app-id', app.id);
    expect(listed.find(({ id }) => id === first.buildId)).toMatchObject({ jobId: null, job });
  });
});

describe('of a deployment to a channel, the command-line tool', () => {
  it('shows an empty log', async () => {
    expect(await ofDeployment('logs')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each(['cancel', 'failure-summary'])('says why deployments:%s is not possible', async (command) => {
    const { exitCode, stderr } = await ofDeployment(command);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(NO_JOB)]);
    // It is still there.
    const { status } = await app.api.get(`${app.path}/deployments/${first.deploymentId}`);
    expect(status).toBe(200);
  });

  it('goes back to the deployment that is chosen from the list', async () => {
    const own = await createApp(app.tenant);
    const older = await publishZip(own, { 'index.html': 'older' });
    await publishZip(own, { 'index.html': 'newer' });
    const terminal = cli.inTerminal('apps:liveupdates:rollback', '--app-id', own.id, '--channel', 'default');
    await terminal.waitFor(/Which deployment do you want to rollback to/);
    terminal.type('\r');
    expect(await terminal.end()).toEqual({ exitCode: 0 });
    expect(terminal.output()).toContain('Rolled back to Build #1 (1 step back)');
    expect(await new AndroidDevice({ appId: own.id }).sync()).toMatchObject({ bundleId: older.id });
  });
});
