import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.js';
import { HoldingProxy } from '../support/http/holding-proxy.js';
import type { TestBuild } from '../support/native-builds/leases.js';
import { processesOn } from '../support/processes/processes-on.js';
import { jobFolders, RunnerScene } from '../support/runners/runner-scene.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

/** In the command line of processes that builds start. */
const MARK = randomUUID();
/** How long the slot of a job that was canceled may be taken, in milliseconds, and what a build takes here. */
const FREE_WITHIN = 60_000;

/**
 * Ignores signals, has children in sessions of their own without the environment of the build, which start others, and
 * prints without end.
 */
const STUBBORN = `
  const { spawn } = require('node:child_process');
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { PATH: process.env.PATH }, detached: true };
  const loop = 'trap "" TERM INT HUP; while :; do echo still here; sh -c "sleep 0.1" & done';
  console.log('begun');
  spawn('sh', ['-c', loop.replace('&', ';'), '${MARK}'], options).unref();
  spawn('sh', ['-c', 'trap "" TERM INT HUP; yes ${MARK}', '${MARK}'], options).unref();
  setInterval(() => console.log('and here'), 1);
`;

let scene: RunnerScene;
let proxy: HoldingProxy;
beforeAll(async () => {
  scene = await RunnerScene.create();
  proxy = await HoldingProxy.start(scene.site.origin);
});
afterEach(async () => {
  proxy.hold(null);
  await scene.killRunners();
});
afterAll(async () => {
  proxy.stop();
  await scene.dispose();
});

async function cancel({ jobId }: TestBuild): Promise<void> {
  const { status } = await scene.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
  expect(status).toBe(200);
}

/** The only slot of a runner is free again: the next job gets it. */
async function expectFreeSlot(next: TestBuild): Promise<void> {
  expect((await scene.finished(next, FREE_WITHIN)).status).toBe('succeeded');
}

const sandboxes = [
  ['without a sandbox', ['--trust-repositories']],
  ...(hasSandbox ? ([['in a sandbox', []]] as const) : []),
] as const;

describe.each(sandboxes)('a build %s that does not stop', (_name, args) => {
  it.each(['install', 'build'])('loses its slot in the step %s when its job is canceled', async (step) => {
    const runner = await scene.start({ args });
    const command = step === 'install' ? 'node stubborn.cjs' : 'true';
    const build = await scene.build({
      files: {
        'stubborn.cjs': STUBBORN,
        'build.cjs': STUBBORN,
        'capawesome.config.json': JSON.stringify({
          cloud: { apps: [{ appId: scene.app.id, dependencyInstallCommand: command }] },
        }),
      },
    });
    await scene.logged(build, 'begun');
    const next = await scene.build();
    await cancel(build);
    await expectFreeSlot(next);
    await runner.waitFor(`Job ${build.jobId} stopped after`);
    await eventually(async () => expect(await processesOn(MARK)).toEqual([]));
    await eventually(async () => expect(await jobFolders(runner.dir)).toEqual([]));
  });
});

it.each([
  ['the payload', 'GET /v1/runner/job/payload'],
  ['the download of the source', 'GET /v1/runner/job/source'],
  ['the log', 'PATCH /v1/runner/job/log'],
  ['the announcement of an artifact', 'POST /v1/runner/job/artifacts'],
  ['the upload of an artifact', 'PUT /v1/runner/job/artifacts'],
  ['its report', 'POST /v1/runner/job/finish'],
])('a job that waits for %s loses its slot when it is canceled', async (_what, request) => {
  await scene.start({ origin: proxy.origin });
  proxy.hold(request);
  const build = await scene.build();
  await eventually(() => expect(proxy.count).toBeGreaterThan(0));
  const next = await scene.build();
  await cancel(build);
  proxy.hold(null);
  await expectFreeSlot(next);
});

it('a job with a folder of many files loses its slot before the folder is removed', async () => {
  const files = {
    'build.cjs': `
      const { mkdirSync, writeFileSync } = require('node:fs');
      for (let folder = 0; folder < 30; folder++) {
        mkdirSync('many/' + folder, { recursive: true });
        for (let file = 0; file < 1000; file++) writeFileSync('many/' + folder + '/' + file, '');
      }
      console.log('begun');
      setInterval(() => {}, 1000);`,
  };
  const runner = await scene.start();
  const build = await scene.build({ files });
  await scene.logged(build, 'begun');
  const next = await scene.build();
  await cancel(build);
  await expectFreeSlot(next);
  await eventually(async () => expect(await jobFolders(runner.dir)).toEqual([]), FREE_WITHIN);
});

it('a runner for one job ends when its job was canceled', async () => {
  const runner = await scene.start({ args: ['--trust-repositories', '--once'] });
  const build = await scene.build({ files: { 'build.cjs': STUBBORN } });
  await scene.logged(build, 'begun');
  await cancel(build);
  expect(await runner.exit()).toBe(0);
  expect(await jobFolders(runner.dir)).toEqual([]);
});
