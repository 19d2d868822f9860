import { createApp, type TestApp } from '../builders/app.js';
import { createEnvironment } from '../builders/environment.js';
import { createGitConnection } from '../builders/git-connection.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { Cli } from '../support/processes/cli.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
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
});
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

/** A repository behind a git server that asks for a password, linked to the app. @returns its newest commit */
async function link(git: GitServer): Promise<string> {
  git.create(REPOSITORY);
  const sha = git.commit(REPOSITORY, 'main', 'First', webProject(app.id, { text: 'From git' }));
  const connection = await createGitConnection(app.tenant, {
    provider: 'git_http',
    authKind: 'basic',
    token: undefined,
    username: 'ada',
    password: 'correct horse',
    baseUrl: git.origin,
  });
  const body = { gitConnectionId: connection.id, path: REPOSITORY };
  expect((await app.api.put(`${app.path}/repository`, body)).status).toBe(200);
  return sha;
}

(hasGit ? it : it.skip)(
  'builds a branch of a private repository, from the command to the device',
  async () => {
    const git = await GitServer.start({ credentials: 'ada:correct horse' });
    try {
      const sha = await link(git);
      const created = await cli.run(...create('--git-ref', 'main', '--channel', 'default'));
      expect(created.stdout).toContain('line 3 of build');
      expect(created.stdout + created.stderr + runner.output).not.toContain('correct horse');
      expect(created).toMatchObject({ exitCode: 0 });
      const { body } = await app.api.get(`${app.path}/builds`);
      const [build] = body as { gitCommitSha: string; gitRef: string; appBuildArtifactId: string }[];
      expect(build).toMatchObject({ gitRef: 'main', gitCommitSha: sha });
      const { bundleId } = await new AndroidDevice({ appId: app.id }).sync();
      expect(bundleId).toBe(build?.appBuildArtifactId);
      const unknown = await cli.run(...create('--git-ref', 'nowhere'));
      expect(unknown.exitCode).toBe(1);
      expect(unknown.stdout + unknown.stderr).toContain('has no branch or tag nowhere');
    } finally {
      await git.stop();
    }
  },
);

it('shows no secret of the environment in the log', async () => {
  const environment = await createEnvironment(app);
  const secret = 'sesame-opens-2-doors';
  const path = `${app.path}/environments/${environment.id}`;
  await app.api.post(`${path}/secrets/set`, [{ key: 'API_KEY', value: secret }]);
  await app.api.post(`${path}/variables/set`, [{ key: 'STAGE', value: 'nightly' }]);
  const printing = "console.log(process.env.STAGE + ' ' + process.env.API_KEY);";
  await writeWebProject(`${cli.folder}/project`, app.id, {
    files: {
      'build.cjs': `${printing} require('fs').cpSync('public', 'dist', { recursive: true });`,
      'public/index.html': '<p>',
    },
  });
  const created = await cli.run(...create('--path', 'project', '--environment', environment.name));
  expect(created).toMatchObject({ exitCode: 0 });
  expect(created.stdout).toMatch(/nightly \S+/);
  expect(created.stdout).not.toContain(secret);
});

it('ends with 1 when the build fails, and shows why', async () => {
  await writeWebProject(`${cli.folder}/broken`, app.id, {
    files: { 'build.cjs': "throw new Error('It is broken.');" },
  });
  const created = await cli.run(...create('--path', 'broken'));
  expect(created.exitCode).toBe(1);
  expect(created.stdout).toContain('It is broken.');
  // The log ends with the summary.
  expect(created.stdout).toContain('The step "build" failed.');
  expect(created.stdout).toContain('What to do:\n- ');
});

(hasSandbox ? it : it.skip)(
  'names the setting that opens a private server, when a build cannot reach it',
  async () => {
    await writeWebProject(`${cli.folder}/private`, app.id, {
      files: {
        'capawesome.config.json': '{}',
        '.npmrc': 'fetch-retries=0\nregistry=http://10.255.255.1:4873/\n',
        'package.json': JSON.stringify({
          name: 'shop',
          private: true,
          scripts: { build: 'node build.cjs' },
          dependencies: { 'acme-banner': '1.0.0' },
        }),
      },
    });
    const created = await cli.run(...create('--path', 'private'));
    expect(created.exitCode).toBe(1);
    expect(created.stdout).toContain('The step "install" failed. Builds do not reach 10.255.255.1,');
    expect(created.stdout).toContain('add 10.255.255.1 to RUNNER_ALLOW.');
  },
);

it('explains why a build failed, in the same command and later', async () => {
  await writeWebProject(`${cli.folder}/unresolved`, app.id, {
    files: { 'build.cjs': "require('left-pad');" },
  });
  const created = await cli.run(...create('--path', 'unresolved', '--failure-summary'));
  expect(created.exitCode).toBe(1);
  const summary = 'The step "build" failed. A program needs left-pad, which is not installed.';
  expect(created.stdout).toContain(summary);
  expect(created.stdout).toContain("  Error: Cannot find module 'left-pad'");
  expect(created.stdout).toContain('- Add the package to package.json');
  const { body } = await app.api.get(`${app.path}/builds?limit=1`);
  const [build] = body as [{ id: string; jobId: string }];
  const later = ['apps:builds:failure-summary', '--app-id', app.id, '--build-id', build.id];
  const explained = await cli.run(...later);
  expect(explained).toMatchObject({ exitCode: 0 });
  expect(explained.stdout).toContain(summary);
});
