import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createCertificate, privateKey } from '../builders/certificate.js';
import { linkPrivateRepository } from '../builders/git-connection.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { hasNginxGit, NginxGitServer } from '../support/git/nginx-git-server.js';
import { Cli } from '../support/processes/cli.js';
import { RunnerProcess } from '../support/runners/runner-process.js';
import { hasRegistry, REGISTRY } from '../support/runners/registry.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { registerRunner } from '../support/runners/start-runner.js';

const REPOSITORY = 'acme/shop.git';
const FIXTURE = join(import.meta.dirname, 'fixtures/vite-app');
const FILES = ['package.json', 'package-lock.json', 'index.html', 'src/main.js', 'src/greeting.js'];

const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();

let app: TestApp;
let cli: Cli;
let git: NginxGitServer;
let runner: RunnerProcess;

/** A private repository with a Vite app, linked to the app, whose live updates are signed. */
async function link(): Promise<void> {
  git.create(REPOSITORY);
  await linkPrivateRepository(app, git, REPOSITORY);
}

async function viteApp(): Promise<Record<string, string>> {
  const entries = FILES.map(async (name) => [name, await readFile(join(FIXTURE, name), 'utf8')] as const);
  const config = { cloud: { apps: [{ appId: app.id, dependencyInstallCommand: 'npm ci' }] } };
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    'capawesome.config.json': JSON.stringify(config),
  };
}

/** The official CLI waits for the build, follows its log and deploys it. */
async function release(certificate: string): Promise<string> {
  const source = ['--app-id', app.id, '--git-ref', 'main'];
  const target = ['--channel', 'default', '--certificate', certificate];
  const { exitCode, stdout, stderr } = await cli.run(
    'apps:liveupdates:create',
    ...source,
    ...target,
    '--variable',
    'VITE_BUILD=nightly',
    '--yes',
  );
  expect(stdout + stderr).not.toContain(git.password);
  expect({ exitCode, output: exitCode === 0 ? '' : stdout + stderr }).toEqual({ exitCode: 0, output: '' });
  return stdout;
}

/** The scripts that the device runs. */
function scriptsOf(device: AndroidDevice): string {
  return [...device.files]
    .flatMap(([path, bytes]) => (path.endsWith('.js') ? [bytes.toString()] : []))
    .join('');
}

(hasNginxGit && hasSandbox && hasRegistry ? it : it.skip)(
  'turns a push into a signed update on a device',
  async () => {
    app = await createApp();
    git = await NginxGitServer.start();
    cli = await Cli.create(app.tenant.owner.token);
    const dir = await mkdtemp(join(tmpdir(), 'slipway-runner-'));
    runner = RunnerProcess.start({
      origin: testEnvironment().origin,
      token: await registerRunner(app.tenant),
      dir,
      args: [],
      // The registry of a company may have a private address.
      env: { RUNNER_ALLOW: new URL(REGISTRY).hostname },
    });
    await runner.waitFor(/waits for jobs/);
    try {
      await link();
      const { name } = await createCertificate(app);
      git.push(REPOSITORY, 'main', 'The first version', await viteApp());
      const log = await release(name);
      expect(log).toContain('Sandbox: bubblewrap.');
      expect(log).toContain('vite build');

      const device = new AndroidDevice({ appId: app.id, publicKey });
      expect(await device.sync()).toMatchObject({ bundleId: expect.any(String) as string });
      expect(scriptsOf(device)).toContain('Hello from the first build');
      expect(scriptsOf(device)).toContain('nightly');

      const greeting = "export const greeting = 'Hello again';\n";
      git.push(REPOSITORY, 'main', 'Another greeting', { 'src/greeting.js': greeting });
      await release(name);
      await device.sync();
      expect(scriptsOf(device)).toContain('Hello again');
    } finally {
      await runner.stop();
      await rm(dir, { recursive: true });
      await git.stop();
    }
  },
  300_000,
);
