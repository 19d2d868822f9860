import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { linkPrivateRepository } from '../builders/git-connection.js';
import { testEnvironment } from '../setup/test-environment.js';
import { hasNginxGit, NginxGitServer } from '../support/git/nginx-git-server.js';
import { Cli } from '../support/processes/cli.js';
import { EMULATOR_NAME, makeEmulator } from '../support/processes/stand-in-emulator.js';
import { badging } from '../support/runners/android/android-bench.js';
import { capacitorProject, hasGradleTools } from '../support/runners/android/android-project.js';
import { startAndroidRunner } from '../support/runners/android/android-runner.js';
import { makeKeystore, STORE_PASSWORD, type TestKeystore } from '../support/runners/android/keystores.js';
import { signersOf, verifyApk } from '../support/runners/android/signing-bench.js';
import { readZip } from '../support/runners/build-bench.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

const REPOSITORY = 'acme/shop.git';

let app: TestApp;
let cli: Cli;
let git: NginxGitServer;
let keystore: TestKeystore;

/** A private repository with a Capacitor app, linked to the app. */
async function link(): Promise<void> {
  git.create(REPOSITORY);
  await linkPrivateRepository(app, git, REPOSITORY);
}

/** The official CLI uploads the keystore. */
async function upload(): Promise<void> {
  await cli.write('upload.p12', Buffer.from(keystore.certificate.file, 'base64'));
  const options = ['--app-id', app.id, '--platform', 'android', '--type', 'production', '--name', 'Upload'];
  const key = ['--file', 'upload.p12', '--password', STORE_PASSWORD, '--key-alias', 'upload', '--yes'];
  await cli.succeed('apps:certificates:create', ...options, ...key);
}

function onApp(command: string, ...args: string[]): string[] {
  return [`apps:builds:${command}`, '--app-id', app.id, ...args];
}

(hasNginxGit && hasSandbox && hasGradleTools ? it : it.skip)(
  'turns a push into a signed app on a device',
  async () => {
    app = await createApp();
    git = await NginxGitServer.start();
    cli = await Cli.create(app.tenant.owner.token);
    keystore = await makeKeystore('PKCS12', [{ alias: 'upload' }]);
    const runner = await startAndroidRunner(app);
    const path = process.env['PATH'] ?? '';
    try {
      await link();
      await upload();
      git.push(REPOSITORY, 'main', 'The first version', capacitorProject(app.id));
      const source = ['--platform', 'android', '--type', 'release', '--git-ref', 'main'];
      const log = await cli.succeed(...onApp('create', ...source, '--certificate', 'Upload', '--yes'));
      expect(log).toContain('Sandbox: bubblewrap.');
      expect(log).toContain('This is a Capacitor project, built in android');
      expect(log).toMatch(/Signed and verified app-release\.apk/);
      expect(log + runner.output).not.toContain('store "pass"');

      const { body } = await app.api.get(`${app.path}/builds`);
      const [build] = body as { id: string; packageName: string; packageVersion: string }[];
      expect(build).toMatchObject({ packageName: 'com.acme.shop', packageVersion: '1.2' });
      const id = ['--build-id', build!.id];
      await cli.succeed(...onApp('download', ...id, '--apk', 'a.apk', '--aab', 'a.aab', '--zip', 'a.zip'));
      const apk = join(cli.folder, 'a.apk');
      const digest = keystore.fingerprints['upload']!;
      const verified = verifyApk(apk);
      expect(verified).toContain('Number of signers: 1\n');
      expect(verified).toContain(digest.replaceAll(':', '').toLowerCase());
      expect(badging(apk)).toContain("package: name='com.acme.shop' versionCode='7'");
      expect(signersOf(join(cli.folder, 'a.aab'))).toContain(digest);
      expect(await readZip(join(cli.folder, 'a.zip'))).toHaveProperty(['mapping.txt']);

      const share = await cli.json<{ id: string; webUrl: string }>(...onApp('share', ...id));
      const page = await fetch(share.webUrl);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('1.2')]);
      const shared = await fetch(`${testEnvironment().origin}/v1/app-build-shares/${share.id}`);
      const { artifacts } = (await shared.json()) as { artifacts: { type: string; downloadUrl: string }[] };
      const { downloadUrl } = artifacts.find(({ type }) => type === 'apk')!;
      const download = await fetch(new URL(downloadUrl, testEnvironment().origin));
      expect(Buffer.from(await download.arrayBuffer())).toEqual(await readFile(apk));

      const emulator = await makeEmulator();
      process.env['PATH'] = `${emulator}${delimiter}${path}`;
      await cli.succeed(...onApp('run', ...id, '--target-name', EMULATOR_NAME));
      expect(await readFile(join(emulator, 'installed.apk'))).toEqual(await readFile(apk));
      const calls = await readFile(join(emulator, 'calls'), 'utf8');
      expect(calls).toMatch(/^-s emulator-5554 shell monkey -p com\.acme\.shop /m);
    } finally {
      process.env['PATH'] = path;
      await runner.stop();
      await git.stop();
    }
  },
  300_000,
);
