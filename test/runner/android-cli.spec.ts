import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createEnvironment } from '../builders/environment.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Cli } from '../support/processes/cli.js';
import { badging } from '../support/runners/android/android-bench.js';
import { capacitorProject, hasGradleTools } from '../support/runners/android/android-project.js';
import { createAndroidCertificate, startAndroidRunner } from '../support/runners/android/android-runner.js';
import { signersOf, verifyApk } from '../support/runners/android/signing-bench.js';
import type { RunnerProcess } from '../support/runners/runner-process.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

const canBuild = hasSandbox && hasGradleTools;

let app: TestApp;
let cli: Cli;
let runner: RunnerProcess | undefined;

beforeAll(async () => {
  if (!canBuild) return;
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  for (const [path, content] of Object.entries(capacitorProject(app.id))) {
    if (content !== null) await cli.write(`project/${path}`, content);
  }
  runner = await startAndroidRunner(app);
});
afterAll(() => runner?.stop());

const create = (...args: string[]): string[] => [
  'apps:builds:create',
  '--app-id',
  app.id,
  '--platform',
  'android',
  '--path',
  'project',
  '--yes',
  ...args,
];

(canBuild ? describe : describe.skip)('apps:builds:create --platform android', () => {
  it('builds, downloads and shares a debug apk with the settings of every option', async () => {
    const configuration = {
      name: 'Beta',
      displayName: `Shop's "Beta" & more`,
      packageName: 'com.acme.shop.beta',
      versionName: '9.1',
      buildNumber: 'ci',
    };
    expect((await app.api.post(`${app.path}/configurations`, configuration)).status).toBe(201);
    const environment = await createEnvironment(app);
    await app.api.post(`${app.path}/environments/${environment.id}/secrets/set`, [
      { key: 'API_KEY', value: 'sesame-opens-2-doors' },
    ]);
    const settings = ['--variable', 'STAGE=nightly', '--stack', 'macos-sequoia', '--apk', 'shop.apk'];
    settings.push('--share', '--share-description', 'For testers', '--share-expires-in-days', '3');
    const output = await cli.succeed(
      ...create('--type', 'debug', '--configuration', 'Beta', '--environment', environment.name),
      ...settings,
    );
    expect(output).not.toContain('sesame-opens-2-doors');
    const { body } = await app.api.get(`${app.path}/builds`);
    const [build] = body as { id: string; numberAsString: string }[];
    expect(build).toMatchObject({
      type: 'debug',
      packageName: 'com.acme.shop.beta',
      packageVersion: '9.1',
      displayName: configuration.displayName,
    });
    const shown = badging(join(cli.folder, 'shop.apk'));
    expect(shown).toContain(
      `package: name='com.acme.shop.beta' versionCode='${build?.numberAsString}' versionName='9.1'`,
    );
    const { body: shares } = await app.api.get(`${app.path}/builds/${build?.id}/shares`);
    const [share] = shares as { id: string; description: string; expiresAt: string }[];
    expect(share?.description).toBe('For testers');
    expect(Date.parse(share?.expiresAt ?? '') - Date.now()).toBeGreaterThan(2 * 24 * 3600 * 1000);
    const page = await fetch(`${testEnvironment().origin}/app-build-shares/${share?.id}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('For testers')]);
  });

  it('signs a release with a certificate, and downloads apk and aab', async () => {
    await createAndroidCertificate(app, 'Upload');
    const files = ['--apk', 'release.apk', '--aab', 'release.aab'];
    await cli.succeed(...create('--type', 'release', '--certificate', 'Upload', ...files));
    expect(signersOf(join(cli.folder, 'release.aab'))).toContain('Signer #1');
    expect(verifyApk(join(cli.folder, 'release.apk'))).toContain('Number of signers: 1');
  });

  it('returns at once with --detached, and its build can be followed', async () => {
    const { id } = await cli.json<{ id: string }>(...create('--detached'));
    const log = await cli.succeed('apps:builds:logs', '--app-id', app.id, '--build-id', id);
    expect(log).toContain('This is a Capacitor project, built in android');
    const { body } = await app.api.get(`${app.path}/builds/${id}?relations=job`);
    expect(body).toMatchObject({ type: 'debug', job: { status: 'succeeded' } });
  });

  it('ends with 1 and explains a flavor that is no name', async () => {
    const { exitCode, stdout } = await cli.run(...create('--variable', 'ANDROID_FLAVOR=a; touch /tmp/x'));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('ANDROID_FLAVOR');
    expect(stdout).toContain('What to do:');
  });
});
