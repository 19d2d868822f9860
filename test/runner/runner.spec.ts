import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createEnvironment } from '../builders/environment.js';
import { eventually } from '../support/eventually.js';
import { expectCreated } from '../support/http/expect-created.js';
import { processesOn } from '../support/processes/processes-on.js';
import { jobFolders, logOf, RunnerScene } from '../support/runners/runner-scene.js';

/** What processes of endless builds are called. */
const MARK = randomUUID();
/** Prints, and never ends. */
const ENDLESS = {
  'build.cjs': `process.title = '${MARK}'; console.log('begun'); setInterval(() => {}, 1000);`,
};

let scene: RunnerScene;
beforeAll(async () => {
  scene = await RunnerScene.create();
});
afterEach(() => scene.killRunners());
afterAll(() => scene.dispose());

it('makes a build from its claim to its end, and leaves nothing', async () => {
  const runner = await scene.start();
  const build = await scene.build({ lines: 3 });
  const job = await scene.finished(build);
  expect([job.status, job.statusMessage]).toEqual(['succeeded', null]);
  expect(logOf(job)).toMatch(/line 1 of build \d+\nline 2 of build \d+\nline 3 of build \d+/);
  const { body } = await scene.app.api.get(
    `${scene.app.path}/builds/${build.id}?relations=appBuildArtifacts`,
  );
  expect(body).toMatchObject({ appBuildArtifacts: [{ type: 'zip', status: 'ready' }] });
  await runner.waitFor(`Job ${job.id} succeeded after`);
  expect(await jobFolders(runner.dir)).toEqual([]);
  expect(await runner.stop()).toBe(0);
  expect(runner.output).not.toContain('line 1');
});

it('works on as many jobs as it has slots, with logs in the terminal', async () => {
  const runner = await scene.start({
    env: { RUNNER_SLOTS: '2' },
    args: ['--trust-repositories', '--verbose'],
  });
  const builds = [
    await scene.build({ files: ENDLESS }),
    await scene.build({ files: ENDLESS }),
    await scene.build(),
  ];
  await eventually(() => expect(runner.output.match(/ \| begun/g)).toHaveLength(2));
  expect((await scene.job(builds[2]!)).status).toBe('queued');
  for (const { jobId } of builds) await scene.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
  await eventually(() =>
    expect(runner.output.match(/stopped after .*: The job was canceled/g)).toHaveLength(2),
  );
  expect(await processesOn(MARK)).toEqual([]);
  expect(await runner.stop()).toBe(0);
});

it('masks secrets, also when they arrive in pieces', async () => {
  const secret = 'correct horse battery staple';
  const { id: appEnvironmentId } = await createEnvironment(scene.app);
  expectCreated(
    await scene.app.api.post(`${scene.app.path}/environments/${appEnvironmentId}/secrets`, {
      key: 'PHRASE',
      value: secret,
    }),
  );
  const script = `
    const write = (text) => new Promise((done) => process.stdout.write(text, done));
    (async () => {
      for (const text of [process.env.PHRASE, Buffer.from('user:' + process.env.PHRASE).toString('base64')]) {
        await write('<');
        for (const character of text) { await write(character); await new Promise((r) => setTimeout(r, 5)); }
        await write('>\\n');
      }
      console.error('The last words are ' + process.env.PHRASE);
      process.exit(1);
    })();`;
  const runner = await scene.start({ args: ['--trust-repositories', '--verbose'] });
  const build = await scene.build({ files: { 'build.cjs': script } }, { appEnvironmentId });
  const job = await scene.finished(build);
  expect([job.status, job.failedStep]).toEqual(['failed', 'build']);
  await runner.waitFor(/failed after/);
  for (const text of [logOf(job), runner.output]) {
    expect(text).toContain('<***>');
    expect(text).toContain('The last words are ***');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(2, -4));
  }
  await runner.stop();
});

it('takes a log of 1 GB without its memory or disk', async () => {
  const runner = await scene.start();
  const script = `require('node:child_process').spawnSync('sh', ['-c', 'yes "a line that says little" | head -c 1000000000'], { stdio: 'inherit' }); require('./web.cjs');`;
  const build = await scene.build({
    files: {
      'build.cjs': script,
      'web.cjs': `require('node:fs').mkdirSync('dist'); require('node:fs').writeFileSync('dist/index.html', '<html>');`,
    },
  });
  const job = await scene.finished(build, 120_000);
  expect(job.status).toBe('succeeded');
  const log = logOf(job);
  expect(log.length).toBeLessThan(4_000_000);
  expect(log).toMatch(/The output is longer than 3,800,000 bytes: the rest is not kept\.\n/);
  expect(log).toMatch(/99\d,\d{3},\d{3} bytes of output were not kept\.$/);
  const peak = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${runner.process.pid}/status`, 'utf8'))?.[1];
  expect(Number(peak) / 1024).toBeLessThan(300);
  await runner.stop();
});

it('ends after one job with --once', async () => {
  const [first, second] = [await scene.build(), await scene.build()];
  const runner = await scene.spawn({ args: ['--trust-repositories', '--once'] });
  expect(await runner.exit()).toBe(0);
  expect((await scene.job(first)).status).toBe('succeeded');
  expect((await scene.job(second)).status).toBe('queued');
  await scene.app.api.patch(`/v1/jobs/${second.jobId}`, { status: 'canceled' });
});

it('ends a build that prints nothing for too long', async () => {
  // Last, because a busy machine makes every build wait so long.
  await scene.site.restart({ JOB_IDLE_SECONDS: '5' });
  const runner = await scene.start();
  const job = await scene.finished(await scene.build({ files: ENDLESS }));
  expect([job.status, job.statusMessage]).toEqual(['timed_out', 'The build printed nothing for 5 s.']);
  expect(logOf(job)).toMatch(
    /begun\n[^]*The build printed nothing for 5 s\.\n§ Slipway explains .*\nThe job has timed out\.[^]*What to do:/,
  );
  await runner.waitFor(/timed out after/);
  expect(await jobFolders(runner.dir)).toEqual([]);
  await runner.stop();
});
