import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { processesOn } from '../support/processes/processes-on.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { jobFolders, logOf, RunnerScene } from '../support/runners/runner-scene.js';
import { RunnerProcess } from '../support/runners/runner-process.js';

/** In the command line of a process that every build starts. */
const MARK = randomUUID();

/** Prints a line every 100 ms, for this many lines, and starts a process in a session of its own that ignores signals. */
const slowly = (lines: number): Record<string, string> => ({
  'build.cjs': `
    require('node:child_process').spawn('sh', ['-c', 'trap "" TERM INT HUP; while :; do sleep 1; done', '${MARK}'], { stdio: 'ignore', detached: true }).unref();
    let line = 0;
    setInterval(() => {
      console.log('line ' + ++line);
      if (line < ${lines}) return;
      require('node:fs').mkdirSync('dist', { recursive: true });
      require('node:fs').writeFileSync('dist/index.html', '<html>');
      process.exit();
    }, 100);`,
});

let scene: RunnerScene;
beforeAll(async () => {
  scene = await RunnerScene.create();
});
afterEach(() => scene.killRunners());
afterAll(() => scene.dispose());

it('finishes its job after SIGTERM and takes no others', async () => {
  const runner = await scene.start();
  const build = await scene.build({ files: slowly(40) });
  await scene.logged(build, 'line 3');
  expect(await processesOn(MARK)).not.toEqual([]);
  const next = await scene.build();
  const exit = runner.stop();
  await runner.waitFor(/Stopping when 1 job is finished/);
  expect(await exit).toBe(0);
  expect((await scene.job(build)).status).toBe('succeeded');
  expect((await scene.job(next)).status).toBe('queued');
  expect(await processesOn(MARK)).toEqual([]);
  const { body } = await scene.tenant.owner.api.get(
    `/v1/organizations/${scene.tenant.organizationId}/runners`,
  );
  expect((body as { online: boolean }[]).map(({ online }) => online)).not.toContain(true);
  await scene.app.api.patch(`/v1/jobs/${next.jobId}`, { status: 'canceled' });
});

it('kills its builds at a second signal; another runner starts them once more', async () => {
  const runner = await scene.start();
  const build = await scene.build({ files: slowly(40) });
  await scene.logged(build, 'line 3');
  runner.process.kill('SIGTERM');
  await runner.waitFor(/Another signal kills/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await runner.stop('SIGINT')).toBe(130);
  expect(await processesOn(MARK)).toEqual([]);
  expect(await jobFolders(runner.dir)).toEqual([]);
  const other = await scene.start();
  expect((await scene.finished(build)).status).toBe('succeeded');
  await other.stop();
});

it('cleans what a killed runner left', async () => {
  const token = await scene.register();
  const runner = await scene.start({ token });
  const build = await scene.build({ files: slowly(60) });
  await scene.logged(build, 'line 3');
  await runner.stop('SIGKILL');
  const [left] = await jobFolders(runner.dir);
  expect(left).toBe(`${build.jobId}-1`);
  // Another one in the same folder removes nothing of a runner that lives.
  const again = await scene.start({ token, dir: runner.dir });
  expect(await jobFolders(runner.dir)).not.toContain(left);
  await eventually(async () => expect(await jobFolders(runner.dir)).toEqual([`${build.jobId}-2`]));
  const beside = await scene.start({ dir: runner.dir });
  expect(await jobFolders(runner.dir)).toEqual([`${build.jobId}-2`]);
  expect((await scene.finished(build)).status).toBe('succeeded');
  expect(await again.stop()).toBe(0);
  expect(await beside.stop()).toBe(0);
  expect(await jobFolders(runner.dir)).toEqual([]);
  expect(await processesOn(MARK)).toEqual([]);
});

it('builds on while the API is away, and sends everything afterwards', async () => {
  const runner = await scene.start();
  const build = await scene.build({ files: slowly(50) });
  await scene.logged(build, 'line 3');
  await scene.site.server.kill();
  await runner.waitFor(/The API is away/);
  // The build ends meanwhile.
  await eventually(async () => expect(await processesOn(MARK)).toEqual([]));
  await scene.site.restart();
  const job = await scene.finished(build);
  expect(job.status).toBe('succeeded');
  expect(logOf(job).match(/^line \d+$/gm)).toEqual(
    Array.from({ length: 50 }, (_, index) => `line ${index + 1}`),
  );
  await runner.waitFor(/The API is back/);
  const next = await scene.build();
  expect((await scene.finished(next)).status).toBe('succeeded');
  expect(await runner.stop()).toBe(0);
});

it('ends when another process uses its token, and kills its builds', async () => {
  const token = await scene.register();
  const first = await scene.start({ token, env: { RUNNER_SLOTS: '2' } });
  const build = await scene.build({ files: slowly(50) });
  await scene.logged(build, 'line 3');
  const same = await scene.spawn({ token, dir: first.dir });
  expect(await same.exit()).toBe(4);
  expect(same.output).toMatch(/is a runner with this token and folder already/);
  const second = await scene.start({ token });
  expect(await first.exit()).toBe(4);
  expect(first.output).toMatch(/Another process uses the token of this runner/);
  expect(await processesOn(MARK)).toEqual([]);
  expect((await scene.finished(build)).status).toBe('succeeded');
  await second.stop();
});

it('ends when the API does not accept its token', async () => {
  const wrong = await scene.spawn({ token: `slr_${'0'.repeat(48)}` });
  expect(await wrong.exit()).toBe(3);
  expect(wrong.output).toMatch(/The API does not accept the token/);
  const { body } = await scene.tenant.owner.api.post(
    `/v1/organizations/${scene.tenant.organizationId}/runners`,
    { name: 'deleted' },
  );
  const { id, token } = body as { id: string; token: string };
  const deleted = await scene.start({ token });
  await scene.tenant.owner.api.delete(`/v1/organizations/${scene.tenant.organizationId}/runners/${id}`);
  expect(await deleted.exit()).toBe(3);
});

it('ends with one sentence for a wrong setting', async () => {
  const runner = await scene.spawn({ env: { RUNNER_SLOTS: 'many' } });
  expect(await runner.exit()).toBe(2);
  expect(runner.output).toBe('RUNNER_SLOTS must be a whole number from 1 to 16.\n');
});

describe('at a server of another version', () => {
  let server: Server;
  let status = 404;
  let body = '{"message":"Not found."}';
  beforeAll(async () => {
    server = createServer((_request, response) => response.writeHead(status).end(body)).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => server.close());

  it.each([
    [404, '{"message":"Not found."}'],
    [201, '{"id":"1"}'],
    [200, '<!doctype html>'],
  ])('ends after %d %s', async (...response) => {
    [status, body] = response;
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const runner = RunnerProcess.start({ origin, token: await scene.register(), dir: await scene.dir() });
    expect(await runner.exit()).toBe(6);
    expect(runner.output).toMatch(/does not understand this runner/);
  });
});

it('checks the machine and the API without ending the session of a runner', async () => {
  const token = await scene.register();
  const runner = await scene.start({ token });
  const tools = await temporaryFolder();
  await mkdir(join(tools, 'pnpm/10.28.1/bin'), { recursive: true });
  const env = { RUNNER_NPM_REGISTRY: 'http://127.0.0.1:9/', RUNNER_TOOLS_DIR: tools };
  const doctor = await scene.spawn({ token, dir: runner.dir, name: 'runner doctor', env });
  await doctor.exit();
  expect(doctor.output).toMatch(/^ok +API +http:.* responds after \d+ ms\.$/m);
  expect(doctor.output).toMatch(/^ok +Clock /m);
  expect(doctor.output).toMatch(/^ok +Token +The API accepts the token\.$/m);
  expect(doctor.output).toMatch(/^ok +Folder /m);
  expect(doctor.output).toMatch(
    /^(ok +git-lfs +git-lfs\/\d|warning +git-lfs +install git-lfs: builds get no files in Git LFS without it)/m,
  );
  expect(doctor.output).toMatch(/^ok +Node\.js +.*\d+\.\d+\.\d+$/m);
  expect(doctor.output).toMatch(/^warning +npm registry +http:\/\/127\.0\.0\.1:9\/ cannot be reached: /m);
  expect(doctor.output).toMatch(/^ok +Tools +\S+\/tools: none; \S+: pnpm 10\.28\.1$/m);
  expect((await scene.finished(await scene.build())).status).toBe('succeeded');
  await runner.stop();
  const failing = await scene.spawn({ token: `slr_${'0'.repeat(48)}`, name: 'runner doctor', env });
  expect(await failing.exit()).toBe(1);
  expect(failing.output).toMatch(/^failed +Token +The API does not accept the token\.$/m);
});
