import { createApp, type TestApp } from '../builders/app.js';
import { createGitConnection } from '../builders/git-connection.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { Cli } from '../support/processes/cli.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { RunnerProcess } from '../support/runners/runner-process.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject, writeWebProject } from '../support/runners/web-project.js';

const REPOSITORY = 'acme/shop.git';

let app: TestApp;
let cli: Cli;
let runner: RunnerProcess;

beforeAll(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  runner = RunnerProcess.start({
    origin: testEnvironment().origin,
    token: await registerRunner(app.tenant),
    dir: await temporaryFolder(),
  });
  await runner.waitFor(/waits for jobs/);
}, 60_000);
afterAll(async () => expect(await runner.stop()).toBe(0));

const create = (...args: string[]): string[] => [
  'apps:builds:create',
  '--app-id',
  app.id,
  '--platform',
  'web',
  '--yes',
  ...args,
];

(hasGit ? it : it.skip)('builds a branch of a private repository, up to the device', async () => {
  const git = await GitServer.start({ credentials: 'ada:correct horse' });
  try {
    git.create(REPOSITORY);
    git.commit(REPOSITORY, 'main', 'First', webProject(app.id, { text: 'From git' }));
    const { id: gitConnectionId } = await createGitConnection(app.tenant, {
      provider: 'git_http',
      authKind: 'basic',
      token: undefined,
      username: 'ada',
      password: 'correct horse',
      baseUrl: git.origin,
    });
    const linked = await app.api.put(`${app.path}/repository`, { gitConnectionId, path: REPOSITORY });
    expect(linked.status).toBe(200);
    const created = await cli.run(...create('--git-ref', 'main', '--channel', 'default'));
    expect(created.stdout).toContain('line 3 of build');
    expect(created.stdout + created.stderr + runner.output).not.toContain('correct horse');
    expect(created.exitCode).toBe(0);
    const { body } = await app.api.get(`${app.path}/builds`);
    const [build] = body as { appBuildArtifactId: string }[];
    const { bundleId } = await new AndroidDevice({ appId: app.id }).sync();
    expect(bundleId).toBe(build?.appBuildArtifactId);
  } finally {
    await git.stop();
  }
});

it('builds a folder, and says which command has failed', async () => {
  await writeWebProject(cli.folder, app.id);
  const created = await cli.run(...create('--path', '.'));
  expect(created.stdout).toContain('line 3 of build');
  expect(created.exitCode).toBe(0);
  await cli.write('build.cjs', `console.error('The answer is missing'); process.exit(3);`);
  const failed = await cli.run(...create('--path', '.'));
  expect(failed.stdout).toContain('The answer is missing');
  expect(failed.exitCode).toBe(1);
});
