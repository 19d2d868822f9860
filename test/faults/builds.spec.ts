import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { unzip } from '../support/live-updates/archives.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { processesOf } from '../support/processes/processes-on.js';
import { randomOf } from '../support/random.js';
import { RunnerProcess } from '../support/runners/runner-process.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { freePort } from '../setup/free-port.js';
import { OwnSite } from '../support/servers/own-site.js';

const BUILDS = 50;
const LINES = 40;
/** Seconds of a lease here: a killed runner is found soon. */
const LEASE_SECONDS = 4;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly statusMessage: string | null;
  readonly finishedAt: string | null;
  readonly jobLogs: readonly { readonly number: number; readonly payload: string }[];
}

let site: OwnSite;
let proxy: DatabaseProxy;
let port: number;
let app: TestApp;
let token: string;
let dir: string;
let runner: RunnerProcess;

/** `slipway runner` with four slots, always in the same folder. */
async function startRunner(): Promise<void> {
  runner = RunnerProcess.start({ origin: site.origin, token, dir, env: { RUNNER_SLOTS: '4' } });
  await runner.waitFor(/waits for jobs/);
}

beforeAll(async () => {
  port = await freePort();
  site = await OwnSite.start(
    { PORT: String(port), JOB_LEASE_SECONDS: String(LEASE_SECONDS) },
    async (url) => (proxy = await DatabaseProxy.start(url)).url,
  );
  const tenant = await createTenant(site);
  app = await createApp(tenant);
  token = await registerRunner(tenant);
  dir = await mkdtemp(join(tmpdir(), 'slipway-runner-'));
  await startRunner();
}, 60_000);
afterAll(async () => {
  await runner.stop('SIGKILL');
  await site.dispose();
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  await proxy.stop().catch(() => undefined);
});

const accidents: Readonly<Record<string, (pause: number) => Promise<void>>> = {
  server: async () => {
    await site.server.kill();
    await site.restart();
  },
  database: async (pause) => {
    await proxy.stop();
    await sleep(500 * pause);
    await proxy.resume();
  },
  runner: async () => {
    await runner.stop('SIGKILL');
    await startRunner();
  },
};

const jobOf = async (id: string): Promise<Job> =>
  (await app.api.get(`/v1/jobs/${id}?relations=jobLogs`)).body as Job;

it(`ends each of ${BUILDS} builds once, with a complete log, while the API, the database and the runner are killed`, async () => {
  const sourceId = await uploadSource(app, webProject(app.id, { lines: LINES, pause: 25 }));
  const builds: { id: string; jobId: string; numberAsString: string }[] = [];
  for (let index = 0; index < BUILDS; index++) {
    const { status, body } = await app.api.post(`${app.path}/builds`, {
      platform: 'web',
      appBuildSourceId: sourceId,
    });
    expect(status).toBe(201);
    builds.push(body as (typeof builds)[0]);
  }
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1e6);
  const next = randomOf(seed);
  const counts: Record<string, number> = {};
  const finished = async (): Promise<boolean> => {
    const [row] = await site.query<{ open: number }>(
      'SELECT count(*)::int AS open FROM jobs WHERE finished_at IS NULL',
    );
    return row?.open === 0;
  };
  const end = Date.now() + 240_000;
  for (let accident = 0; !(await finished()); accident++) {
    if (Date.now() > end) throw new Error(`Builds are still open (seed ${seed}).`);
    await sleep(300 + next() * 2500);
    // Then the rest may end in peace.
    if (accident >= 25) continue;
    const kind = Object.keys(accidents)[Math.floor(next() * 3)]!;
    counts[kind] = (counts[kind] ?? 0) + 1;
    await accidents[kind]!(next());
  }
  const jobs = await eventually(() => Promise.all(builds.map(({ jobId }) => jobOf(jobId))));
  const statuses: Record<string, number> = {};
  for (const [index, job] of jobs.entries()) {
    statuses[job.status] = (statuses[job.status] ?? 0) + 1;
    const build = builds[index]!;
    expect(job.finishedAt).not.toBeNull();
    expect(job.jobLogs.map(({ number }) => number)).toEqual(job.jobLogs.map((_log, at) => at + 1));
    const { body } = await app.api.get(`${app.path}/builds/${build.id}?relations=appBuildArtifacts`);
    const artifacts = (body as { appBuildArtifacts: { id: string; status: string }[] }).appBuildArtifacts;
    const lines = job.jobLogs
      .flatMap(({ payload }) => payload.split('\n'))
      .filter((line) => line.startsWith('line '));
    if (job.status === 'succeeded') {
      expect(artifacts.map(({ status }) => status)).toEqual(['ready']);
      const all = Array.from(
        { length: LINES },
        (_value, at) => `line ${at + 1} of build ${build.numberAsString}`,
      );
      expect(lines.slice(-LINES)).toEqual(all);
    } else {
      // Two runners were killed under it.
      expect([job.status, job.statusMessage]).toEqual(['failed', expect.stringContaining('runner')]);
      expect(artifacts.filter(({ status }) => status === 'ready')).toEqual([]);
    }
  }
  process.stdout.write(`Builds: ${JSON.stringify({ seed, accidents: counts, statuses })}\n`);
  expect(statuses['succeeded']).toBeGreaterThan(BUILDS / 2);
  // Nothing is left on the machine.
  expect(await runner.stop()).toBe(0);
  expect(await readdir(join(dir, 'jobs'))).toEqual([]);
  await eventually(async () => expect(await processesOf(dir)).toEqual([]));
  // What was built is a bundle that devices can get.
  const last = builds[jobs.findLastIndex(({ status }) => status === 'succeeded')]!;
  const { body } = await app.api.get(`${app.path}/builds/${last.id}`);
  const { appBuildArtifactId } = body as { appBuildArtifactId: string };
  const zip = await fetch(
    `${site.origin}${app.path}/builds/${last.id}/artifacts/${appBuildArtifactId}/download`,
    {
      headers: { authorization: `Bearer ${app.tenant.owner.token}` },
    },
  );
  expect(
    JSON.parse(
      unzip(Buffer.from(await zip.arrayBuffer()))
        .get('build.json')!
        .toString(),
    ),
  ).toEqual({
    number: last.numberAsString,
  });
}, 300_000);
